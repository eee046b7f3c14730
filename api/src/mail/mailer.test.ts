import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../../testing/mail-server.ts";
import { ADMIN, FARMER, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { RETRY_AFTER_MS, sweepOutbox } from "./outbox.ts";
import { recoveryMail } from "./recovery-mail.ts";

let server: MailServer;
let farm: TestFarm;
beforeAll(async () => {
  server = await startMailServer();
  farm = await startTestFarm({ SMTP_URL: server.url, MAIL_FROM: "Farm <farm@example.com>" });
});
afterAll(async () => {
  await farm.close();
  await server.close();
});
afterEach(async () => {
  server.answer = "250 ok";
  server.received.length = 0;
  await farm.app.database.query("delete from outbox");
});

const post = (to: string) =>
  farm.app.mailer.post(farm.app.database, FARMER, { to, subject: "물꼬 소식", text: "비밀 주소\n.\n끝" });
const states = () => farm.app.database.query("select state, attempts, body, error from outbox order by id");

test("[mail] is sent to the mail server once, and stored without its text", async () => {
  await post("one@example.com");
  await post("two@example.com");
  await Promise.all([farm.app.mailer.drain(), farm.app.mailer.drain()]);
  expect(server.received.map(({ from, to }) => [from.trim(), to.trim()])).toEqual([
    ["<farm@example.com>", "<one@example.com>"],
    ["<farm@example.com>", "<two@example.com>"],
  ]);
  expect(server.received[0]?.source).toContain("To: one@example.com");
  expect(await states()).toMatchObject([
    { state: "sent", attempts: 1, body: "", error: null },
    { state: "sent", attempts: 1, body: "", error: null },
  ]);
  await farm.app.mailer.drain();
  expect(server.received).toHaveLength(2);
});

test("[mail] waits longer after each failure, is sent when the server is back, and is finally given up", async () => {
  server.answer = "450 busy";
  await post("late@example.com");
  await farm.app.mailer.drain();
  expect(await states()).toMatchObject([
    { state: "waiting", attempts: 1, error: expect.stringContaining("450") },
  ]);
  await farm.app.mailer.drain();
  expect(await states()).toMatchObject([{ attempts: 1 }]);
  server.answer = "250 ok";
  farm.clock.advance(RETRY_AFTER_MS[0] ?? 0);
  await farm.app.mailer.drain();
  expect(await states()).toMatchObject([{ state: "sent", attempts: 2 }]);

  server.answer = "450 busy";
  await post("never@example.com");
  for (const wait of [0, ...RETRY_AFTER_MS]) {
    farm.clock.advance(wait);
    await farm.app.mailer.drain();
  }
  expect((await states()).at(-1)).toMatchObject({ state: "failed", attempts: RETRY_AFTER_MS.length + 1 });
});

test("[mail] gives up an address at once that the server refuses permanently", async () => {
  server.answer = "550 no such mailbox";
  await post("nobody@example.com");
  await farm.app.mailer.drain();
  expect(await states()).toMatchObject([{ state: "failed", attempts: 1 }]);
});

test.each(["530 sign in first", "535 wrong password", "550 sender not allowed", "554 no service"])(
  "[mail] waits where the server refuses not the mail but the API: %s",
  async (answer) => {
    server.senderAnswer = answer;
    await post("one@example.com");
    await farm.app.mailer.drain();
    expect(await states()).toMatchObject([{ state: "waiting", attempts: 1 }]);
    server.senderAnswer = "250 ok";
    farm.clock.advance(RETRY_AFTER_MS[0] ?? 0);
    await farm.app.mailer.drain();
    expect(await states()).toMatchObject([{ state: "sent", attempts: 2 }]);
  },
);

test("[mail] text that looks like headers stays text", async () => {
  await farm.app.mailer.post(farm.app.database, FARMER, {
    to: "one@example.com",
    subject: "a\r\nBcc: two@example.com",
    text: "x",
  });
  await farm.app.mailer.drain();
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.source).not.toMatch(/^Bcc:/im);
});

test("[mail] only administrators read the outbox", async () => {
  await post("one@example.com");
  const list = async (who: string) =>
    farm.app.inject({
      url: "/api/v1/admin/outbox",
      headers: { authorization: (await farm.signIn(who)).authorization },
    });
  expect((await list("overseer")).json()).toMatchObject({
    totalElements: 1,
    content: [
      { recipient: "one@example.com", subject: "물꼬 소식", state: "waiting", body: "비밀 주소\n.\n끝" },
    ],
  });
  expect((await list("farmer-one")).statusCode).toBe(403);
  expect((await farm.app.inject("/api/v1/admin/outbox")).statusCode).toBe(401);
  const authorization = `Bearer ${await farm.app.tokens.relay(ADMIN, farm.clock.now())}`;
  const relay = await farm.app.inject({ url: "/api/v1/admin/outbox", headers: { authorization } });
  expect(relay.statusCode).toBe(403);
});

test("[mail] is deleted after thirty days", async () => {
  await post("old@example.com");
  farm.clock.advance(29 * 86_400_000);
  await sweepOutbox(farm.app.database, farm.clock.now());
  expect(await states()).toHaveLength(1);
  farm.clock.advance(2 * 86_400_000);
  await sweepOutbox(farm.app.database, farm.clock.now());
  expect(await states()).toEqual([]);
});

test("[mail] writes a recovery in the account's language, or in Korean where it is unknown", () => {
  const of = (language: string, nickname = "선우") =>
    recoveryMail({ username: "farmer-one", nickname, language }, "a@example.com", "https://farm.test/r");
  expect(of("KO").subject).toBe("[물꼬] 비밀번호 재설정");
  expect(of("EN", "").text).toContain("Hello farmer-one,");
  expect(of("ZH").text).toContain("设置新密码");
  expect(of("FR")).toEqual(of("KO"));
  for (const language of ["KO", "EN", "ZH"]) expect(of(language).text).toContain("https://farm.test/r");
});
