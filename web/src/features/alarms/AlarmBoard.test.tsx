import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useFollowedOutbox } from "../../domain/valve/use-outbox.ts";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { AlarmBoard } from "./AlarmBoard.tsx";

const ACK = "POST /relay/alarms/alarm-1/ack";
function FollowedBoard() {
  useFollowedOutbox();
  return <AlarmBoard />;
}

const SNOOZE = "POST /relay/alarms/alarm-1/snooze";
const seen = { by: { id: 2, nickname: "박영희" }, at: "2026-11-22T03:05:00Z", comment: "갑니다" };
const CONTROLLER = {
  info: { id: "c1", name: "북쪽 제어기", serial: 200 },
  quality: "fresh",
  rssi: null,
  fwversion: null,
  heardAt: null,
  link: "lost",
};
const CHANNEL = {
  controllerId: "c1",
  serial: 200,
  number: 1,
  sensorIds: [],
  onoff: 2,
  modes: null,
  moisture: null,
  runUntil: null,
  endsBy: null,
  command: null,
  at: null,
  heardAt: null,
  quality: "fresh",
};
const button = (name: string) => screen.findByRole("button", { name });

describe("the list of alarms", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.show(<AlarmBoard />);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[ONL-2] shows the empty text only while the stream knows that there are no alarms", () => {
    const unknown = () => screen.queryByText("지금 경보가 있는지 확인할 수 없습니다");
    const none = () => screen.queryByText("지금은 경보가 없습니다");
    expect([unknown(), none()]).toEqual([null, null]);
    page.link("notLive");
    expect(unknown()).not.toBeNull();
    page.link("live");
    expect(unknown()).toBeNull();
    expect(none()).not.toBeNull();
    page.link("reconnecting");
    expect(unknown()).toBeNull();
    page.link("notLive");
    expect(unknown()).not.toBeNull();
  });

  it("[ALM-1] says that there are no alarms", () => {
    page.link("live");
    expect(screen.queryByText("지금은 경보가 없습니다")).not.toBeNull();
  });

  it("[ALM-2] acknowledges with a comment and shows it only once the stream confirms it", async () => {
    page.answer = () => ({});
    page.putAlarms(buildAlarm());
    fireEvent.click(await button("확인"));
    fireEvent.change(screen.getByLabelText("메모 (선택)"), { target: { value: " 갑니다 " } });
    fireEvent.click(await button("확인 처리"));
    await waitFor(() => expect(page.requests).toContainEqual({ call: ACK, body: { comment: "갑니다" } }));
    expect(await screen.findByText("보내는 중")).not.toBeNull();
    expect(screen.queryByText(/박영희 확인/)).toBeNull();
    page.putAlarms(buildAlarm({ ack: seen }));
    expect(await screen.findByText("갑니다")).not.toBeNull();
    expect(screen.queryByRole("button", { name: "확인" })).toBeNull();
    expect(screen.queryByText("보내는 중")).toBeNull();
  });

  it("[ALM-2] shows a refusal at the form and keeps what was typed", async () => {
    page.answer = (call) => (call === ACK ? refusal(404, "not-found") : undefined);
    page.putAlarms(buildAlarm());
    fireEvent.click(await button("확인"));
    const comment = screen.getByLabelText("메모 (선택)");
    fireEvent.change(comment, { target: { value: "갑니다" } });
    fireEvent.click(await button("확인 처리"));
    expect((await screen.findByRole("alert")).textContent).toContain("찾을 수 없습니다");
    expect(comment).toHaveProperty("value", "갑니다");
    page.answer = () => ({});
    fireEvent.click(await button("확인 처리"));
    await waitFor(() => expect(screen.queryByLabelText("메모 (선택)")).toBeNull());
    expect(page.requests.at(-1)).toEqual({ call: ACK, body: { comment: "갑니다" } });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("[ALM-3] keeps reason and end of a refused snooze and shows the refusal at no other form", async () => {
    page.answer = (call) => (call === SNOOZE ? refusal(503, "upstream-down") : undefined);
    page.putAlarms(buildAlarm());
    fireEvent.click(await button("미루기"));
    fireEvent.click(screen.getByRole("radio", { name: "4시간" }));
    const reason = screen.getByRole("textbox", { name: /미루는 이유/ });
    fireEvent.change(reason, { target: { value: "펌프 수리" } });
    fireEvent.click(await button("미루기"));
    expect((await screen.findByRole("alert")).textContent).toContain("농장 서버에 연결할 수 없습니다");
    expect(reason).toHaveProperty("value", "펌프 수리");
    expect(screen.getByRole("radio", { name: "4시간" })).toHaveProperty("checked", true);
    fireEvent.click(await button("취소"));
    fireEvent.click(await button("확인"));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("[ALM-3] requires a reason and an end for a snooze", async () => {
    page.answer = () => ({});
    page.putAlarms(buildAlarm());
    fireEvent.click(await button("미루기"));
    fireEvent.click(await button("미루기"));
    expect(await screen.findByText("미루는 이유를 입력해 주세요")).not.toBeNull();
    fireEvent.click(screen.getByRole("radio", { name: "4시간" }));
    fireEvent.change(screen.getByRole("textbox", { name: /미루는 이유/ }), {
      target: { value: "펌프 수리" },
    });
    const asked = page.requests.length;
    fireEvent.click(await button("미루기"));
    await waitFor(() => expect(page.requests.length).toBe(asked + 1));
    expect(page.requests.at(-1)).toMatchObject({ call: SNOOZE, body: { reason: "펌프 수리" } });
    page.putAlarms(buildAlarm({ snooze: { until: "2026-11-22T07:00:00Z", reason: "펌프 수리" } }));
    fireEvent.click(await button("미루기 해제"));
    await waitFor(() => expect(page.requests.at(-1)?.call).toBe("DELETE /relay/alarms/alarm-1/snooze"));
  });

  it("[ALM-3] offers its actions again once a snooze has ended by itself", async () => {
    page.answer = () => ({});
    page.putAlarms(buildAlarm());
    fireEvent.click(await button("미루기"));
    fireEvent.change(screen.getByRole("textbox", { name: /미루는 이유/ }), {
      target: { value: "펌프 수리" },
    });
    fireEvent.click(await button("미루기"));
    await waitFor(() => expect(page.requests.at(-1)?.call).toBe(SNOOZE));
    page.putAlarms(buildAlarm({ snooze: { until: "2026-11-22T07:00:00Z", reason: "펌프 수리" } }));
    expect(await button("미루기 해제")).not.toBeNull();
    page.putAlarms(buildAlarm());
    expect(await button("미루기")).toHaveProperty("disabled", false);
  });

  it("[ALM-3] offers no snooze for the most urgent alarms", async () => {
    page.putAlarms(buildAlarm({ type: "command-unconfirmed", priority: 1, detail: { target: 2 } }));
    expect(await button("확인")).not.toBeNull();
    expect(screen.queryByText("닫기 명령을 보냈습니다")).not.toBeNull();
    expect(screen.queryByRole("button", { name: "미루기" })).toBeNull();
  });

  it("[CMD-2] shows an unconfirmed command beside the last report and its time, and follows that report", async () => {
    const heardAt = "2026-11-22T04:15:00Z";
    page.put({ "channel:11": { ...CHANNEL, onoff: 1, heardAt } });
    page.putAlarms(
      buildAlarm({ key: "channel:11", type: "command-unconfirmed", priority: 1, detail: { target: 2 } }),
    );
    expect(await screen.findByText(/^명령: 닫기 \/ 마지막 보고: 열림 \(.*13:15\)$/)).not.toBeNull();
    page.put({ "channel:11": { ...CHANNEL, onoff: 2, heardAt: "2026-11-22T04:17:00Z" } });
    expect(await screen.findByText(/^명령: 닫기 \/ 마지막 보고: 닫힘 \(.*13:17\)$/)).not.toBeNull();
    page.remove("channel:11");
    expect(await screen.findByText("닫기 명령을 보냈습니다")).not.toBeNull();
  });

  it("[ALM-1] names the valve of a controller lost while water runs, also after both are deleted", async () => {
    const valves = [
      { channelId: "11", number: 1, valveName: "토마토 베드", until: "2026-11-22T04:21:00Z" },
      { channelId: "12", number: 2, until: null },
    ];
    const lost = buildAlarm({
      key: "controller:c1",
      name: "남쪽 제어기",
      type: "controller-offline-watering",
      priority: 1,
      valves,
    });
    const open = (name: string) =>
      new RegExp(
        `^물 주는 중에 연결이 끊겼습니다: ${name} 1CH .*13:21까지 열림, 2CH 열림\\(종료 시각 모름\\)$`,
      );
    page.put({ "controller:c1": CONTROLLER, "channel:11": { ...CHANNEL, onoff: 1, name: "딸기 베드" } });
    page.putAlarms(lost);
    expect(await screen.findByText(open("딸기 베드"))).not.toBeNull();
    expect(screen.queryByText("현장에서 확인하고 밸브를 직접 닫아 주세요")).not.toBeNull();
    expect(screen.queryByRole("link", { name: "북쪽 제어기" })).not.toBeNull();
    page.remove("channel:11");
    page.remove("controller:c1");
    page.putAlarms({ ...lost, active: false, clearedAt: "2026-11-22T04:18:00Z" });
    expect(await screen.findByText(open("토마토 베드"))).not.toBeNull();
    expect(screen.queryByText("남쪽 제어기")).not.toBeNull();
    expect(screen.queryByText("현장에서 확인하고 밸브를 직접 닫아 주세요")).toBeNull();
  });

  it("[RUN-3] gives an opening at the controller an end with one click", async () => {
    page.answer = () => ({});
    const opened = { cause: "external", start: "2026-11-22T03:00:00Z" };
    page.putAlarms(buildAlarm({ type: "external-open", priority: 2, detail: opened }));
    fireEvent.click(await button("10분 뒤 닫기"));
    await waitFor(() =>
      expect(page.requests).toContainEqual({
        call: "POST /relay/alarms/alarm-1/close-in",
        body: { minutes: 10 },
      }),
    );
    const ordered = { ...opened, closesAt: "2026-11-22T03:12:00Z", closesFor: "김선우", closesForId: "1" };
    page.putAlarms(buildAlarm({ type: "external-open", priority: 2, detail: ordered }));
    expect(await screen.findByText(/12:12에 닫습니다 \(김선우\)/)).not.toBeNull();
    expect(screen.queryByRole("button", { name: "10분 뒤 닫기" })).toBeNull();
  });

  it("[CMD-8] remembers the end of an opening at the controller without an answer, and can take it back", async () => {
    page.answer = () => Promise.reject(new TypeError("failed to fetch"));
    page.putAlarms(buildAlarm({ type: "external-open", priority: 2, detail: { cause: "external" } }));
    fireEvent.click(await button("10분 뒤 닫기"));
    expect(await screen.findByText("10분 뒤 닫기 명령을 보내는 중")).not.toBeNull();
    const [stored] = Object.keys(localStorage).filter((key) => key.startsWith("mulkko.outbox."));
    expect(JSON.parse(localStorage.getItem(stored ?? "") ?? "")).toMatchObject({
      ...{ kind: "close-in", alarmId: "alarm-1", minutes: 10 },
    });
    expect(screen.queryByRole("button", { name: "10분 뒤 닫기" })).toBeNull();
    // Three seconds later.
    const entry: unknown = JSON.parse(localStorage.getItem(stored ?? "") ?? "");
    localStorage.setItem(stored ?? "", JSON.stringify({ ...Object(entry), at: Date.now() - 5_000 }));
    cleanup();
    page.show(<FollowedBoard />);
    fireEvent.click(await button("보내지 않기"));
    expect(await button("10분 뒤 닫기")).not.toBeNull();
    expect(Object.keys(localStorage).some((key) => key.startsWith("mulkko.outbox."))).toBe(false);
  });

  it("[RUN-3] says why an opening at the controller gets no end", async () => {
    page.answer = () => refusal(409, "conflict");
    page.putAlarms(buildAlarm({ type: "external-open", priority: 2, detail: { cause: "external" } }));
    fireEvent.click(await button("10분 뒤 닫기"));
    expect(await screen.findByRole("alert")).not.toBeNull();
    expect(await button("10분 뒤 닫기")).not.toBeNull();
  });

  it("[CMD-19] does not say that an acknowledgement without an answer failed", async () => {
    page.answer = () => Promise.reject(new TypeError("failed to fetch"));
    page.putAlarms(buildAlarm());
    fireEvent.click(await button("확인"));
    fireEvent.click(await button("확인 처리"));
    expect((await screen.findByRole("alert")).textContent).toContain("처리되었는지 알 수 없습니다");
  });

  it("[ALM-2] acknowledges all alarms with one click if several are not acknowledged", async () => {
    page.answer = () => ({});
    page.putAlarms(
      buildAlarm({ id: "a1", key: "sensor:s1" }),
      buildAlarm({ id: "a2", key: "sensor:s2", ack: seen }),
    );
    expect(await screen.findAllByRole("article")).toHaveLength(2);
    expect(screen.queryByRole("button", { name: /모두 확인/ })).toBeNull();
    page.putAlarms(buildAlarm({ id: "a3", key: "sensor:s3" }));
    fireEvent.click(await button("2건 모두 확인"));
    await waitFor(() =>
      expect(page.requests.map(({ call }) => call).filter((call) => call.endsWith("/ack"))).toEqual([
        "POST /relay/alarms/a1/ack",
        "POST /relay/alarms/a3/ack",
      ]),
    );
  });

  it("[ALM-5] shows a flood as one line with its number and acknowledges it with one click", async () => {
    page.answer = () => ({});
    const flood = Array.from({ length: 12 }, (_, index) =>
      buildAlarm({ id: `a${index}`, key: `sensor:s${index}`, ...(index < 2 ? { ack: seen } : {}) }),
    );
    page.putAlarms(...flood);
    expect(await screen.findByText("12건 · 10건 확인 필요")).not.toBeNull();
    expect(screen.getAllByRole("article")).toHaveLength(1);
    fireEvent.click(await button("10건 모두 확인"));
    await waitFor(() => expect(page.requests.filter(({ call }) => call.endsWith("/ack"))).toHaveLength(10));
    fireEvent.click(await button("하나씩 보기"));
    expect(screen.getAllByRole("article")).toHaveLength(13);
  });

  it("[ALM-2] lists finished alarms on the other tab, in pages", async () => {
    const over = (id: string) =>
      buildAlarm({ id, active: false, clearedAt: "2026-11-22T03:10:00Z", ack: seen });
    page.answer = (call) => ({ content: [over(call.endsWith("page=2") ? "old" : "new")], totalElements: 51 });
    fireEvent.click(screen.getByRole("radio", { name: "지난 경보" }));
    expect(await screen.findByText("박영희 확인")).not.toBeNull();
    fireEvent.click(await button("다음 페이지"));
    await waitFor(() => expect(page.requests.at(-1)?.call).toContain("past=true&page=2"));
    expect((await button("2 페이지")).getAttribute("aria-current")).toBe("page");
  });

  it("[ALM-2] names the valve and its number in a past alarm of a deleted valve", async () => {
    const gone = { key: "channel:gone", name: "토마토 베드", number: 3, type: "command-failed" } as const;
    const over = buildAlarm({ ...gone, active: false, clearedAt: "2026-11-22T03:10:00Z", ack: seen });
    page.answer = () => ({ content: [over], totalElements: 1 });
    fireEvent.click(screen.getByRole("radio", { name: "지난 경보" }));
    expect(await screen.findByText("토마토 베드 3CH")).not.toBeNull();
  });
});
