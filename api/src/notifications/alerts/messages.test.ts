import { expect, test } from "vitest";
import { alertMail } from "../alert-mail.ts";
import { sentenceOf } from "./messages.ts";

const RECEIVED = Date.UTC(2026, 10, 21, 3, 4);
const seoul = (language: string) => ({ language, timezone: "Asia/Seoul" });

test.each([
  [
    "KO",
    "육묘장: 배터리가 19.9% 남았습니다. 교체하거나 충전해 주세요.",
    "육묘장: 11월 21일 12:04 이후 수신이 없습니다. 전원과 통신 상태를 확인해 주세요.",
  ],
  [
    "EN",
    "육묘장: battery at 19.9%. Replace or charge it.",
    "육묘장: no data since November 21 at 12:04. Check the power and the connection.",
  ],
  [
    "ZH",
    "육묘장：电池电量仅剩 19.9%，请更换或充电。",
    "육묘장：自11月21日 12:04起未收到数据，请检查电源和通信。",
  ],
])("[alerts] sentences in %s have the device's name and the value", (language, battery, silence) => {
  expect(sentenceOf("BATTERY", "육묘장", 19.96, seoul(language))).toBe(battery);
  expect(sentenceOf("DEVICE", "육묘장", RECEIVED, seoul(language))).toBe(silence);
  expect(sentenceOf("RSSI", "육묘장", -111, seoul(language))).toContain("-111 dBm");
});

test("[alerts] falls back to Korean for an unknown language and to Seoul for an unknown zone", () => {
  const say = (language: string, timezone: string) =>
    sentenceOf("DEVICE", "육묘장", RECEIVED, { language, timezone });
  expect(say("FR", "Mars/Olympus")).toBe(say("KO", "Asia/Seoul"));
  expect(say("KO", "America/New_York")).toContain("11월 20일 22:04");
});

test("[alerts] a mail with one notification has it as subject, a mail with several the count", () => {
  const line = (message: string) => ({ time: "12:04", message });
  const mail = (language: string, lines: ReturnType<typeof line>[], total = lines.length) =>
    alertMail(
      { username: "farmer", nickname: "", language },
      "a@example.com",
      lines,
      total,
      "https://f.test",
    );
  expect(mail("EN", [line("Gate: weak")]).subject).toBe("[Mulkko] Gate: weak");
  expect(mail("EN", [line("x".repeat(500))]).subject).toHaveLength(120);
  expect(mail("KO", [line("하나"), line("둘")])).toMatchObject({
    subject: "[물꼬] 장치 알림 2건",
    text: expect.stringContaining("- 12:04  하나\n- 12:04  둘\n\n"),
  });
  expect(mail("ZH", [line("一")], 70).text).toContain("- 另有 69 条");
});
