import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
import { buildFleetAlarm, fleetAlarmState } from "../../testing/build-fleet-alarm.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { createFleetBench, type FleetBench } from "../../testing/fleet-bench.tsx";
import { refusal } from "../../testing/page-bench.tsx";
import { MorningPage } from "./MorningPage.tsx";

const KNOWN = {
  ...{ loaded: 1, total: 1, knownSince: null, urgent: { p1: 0, p2: 0 } },
  ...{ openValves: 0, openBeyondEnd: 0, unknownValves: 0, unwatched: 0, leftOff: 0 },
};
const OWNER = buildFleetAccount({
  ...{ id: "a1", username: "kim", nickname: "김다온", phone: "010-1234-5678", watched: true },
  ...{ controllers: 1, openValves: 1, openBeyondEnd: 1, unknownValves: 0, unwatched: null },
});

describe("urgent alarms and water on the overview page", () => {
  let bench: FleetBench;
  beforeEach(async () => {
    bench = await createFleetBench();
    await bench.open(<MorningPage />, "/adminpage");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const say = (list: object, ...rest: readonly Record<string, Record<string, unknown>>[]) =>
    bench.sayPart(
      Object.assign(Object.fromEntries(fleetOfDevices({ d1: {} })), { "fleet:list": list }, ...rest),
      1,
      1,
    );
  const card = (title: string) => {
    const whole = screen.getByRole("heading", { name: new RegExp(`^${title}`), level: 2 }).closest("section");
    if (!(whole instanceof HTMLElement)) throw new Error(`${title} is no card`);
    return within(whole);
  };
  const tile = () =>
    within(screen.getByRole("list", { name: /^상태별 장치 수/ })).getAllByRole("link")[0]?.textContent;

  it("[WARN-1] begins with the urgent alarms: farm, what, person, telephone as a link, since when", async () => {
    const lower = buildFleetAlarm({
      ...{ id: "b", account: "a2", username: "lee", priority: 2, type: "controller-offline" },
      ...{ key: "controller:c9", name: "북쪽 제어기", valve: null, farm: null },
    });
    delete lower.number;
    await say(
      { ...KNOWN, urgent: { p1: 1, p2: 1 } },
      { "account:a1": OWNER },
      fleetAlarmState(lower, buildFleetAlarm({ detail: { end: "2026-11-22T02:57:00Z" } })),
    );
    const [heading] = screen.getAllByRole("heading", { level: 2 });
    expect(heading?.textContent).toBe("긴급 2");
    const lines = screen.getAllByTestId("fleet-alarm");
    expect(lines.map((line) => line.querySelector(".alarm-badge")?.getAttribute("data-priority"))).toEqual([
      ...["1", "2"],
    ]);
    const [first, second] = lines;
    if (!first || !second) throw new Error("two alarms");
    expect(first.textContent).toContain("춘천 농장 (kim)");
    expect(first.textContent).toContain("토마토 베드 1CH · 예정보다 오래 열려 있음");
    expect(first.textContent).toContain("11:57");
    const phone = within(first).getByRole("link", { name: "김다온 님에게 전화: 010-1234-5678" });
    expect(phone.getAttribute("href")).toBe("tel:01012345678");
    expect(within(second).getByText("전화번호 없음")).toBeTruthy();
    expect(within(second).queryByRole("button", { name: /밸브 닫기/ })).toBeNull();
    expect(tile()).toBe("긴급2");
  });

  it("[WARN-4] says that there is none only if all accounts are read and watched", async () => {
    await say(KNOWN, { "account:a1": { ...OWNER, openValves: 0, openBeyondEnd: 0 } });
    expect(card("긴급").getByText("긴급 경보가 있는 계정이 없습니다")).toBeTruthy();
    expect(card("열린 밸브").getByText("열린 밸브가 없습니다")).toBeTruthy();
    expect(tile()).toBe("긴급0");
    await bench.change({ "fleet:list": { unwatched: 1 } });
    expect(card("긴급").getByText("감시 중인 계정에는 긴급 경보가 없습니다")).toBeTruthy();
    // An earlier relay sends none of it.
    await say({ loaded: 1, total: 1, knownSince: null }, { "account:a1": buildFleetAccount() });
    expect(card("긴급").getByText(/^아직 알 수 없습니다/)).toBeTruthy();
    expect(card("열린 밸브").getByText(/^아직 알 수 없습니다/)).toBeTruthy();
    expect(tile()).toBe("긴급--");
    expect(screen.queryByText("열린 밸브가 없습니다")).toBeNull();
    await say(KNOWN, { "account:a1": { ...OWNER, openValves: 0, openBeyondEnd: 0 } });
    await bench.lose();
    expect(card("긴급").queryByText("긴급 경보가 있는 계정이 없습니다")).toBeNull();
    expect(card("열린 밸브").queryByText("열린 밸브가 없습니다")).toBeNull();
    expect(tile()).toBe("긴급--");
  });

  it("[WARN-4] counts open valves and those beyond their end, as a lower bound while some are unknown", async () => {
    const dark = { controllers: 1, openValves: null, openBeyondEnd: null, unknownValves: null };
    await say({ ...KNOWN, openValves: 1, openBeyondEnd: 1 }, { "account:a1": OWNER });
    const water = () => card("열린 밸브");
    expect(water().getByText("지금 밸브 1개 열림")).toBeTruthy();
    expect(water().getAllByText("종료 시각을 넘긴 밸브 1개", { exact: false }).length).toBeGreaterThan(0);
    expect(water().getByRole("link", { name: "kim" }).getAttribute("href")).toBe(
      "/adminpage/status?account=a1",
    );
    await bench.sayPart(
      {
        ...Object.fromEntries(fleetOfDevices({ d1: {} })),
        "fleet:list": { ...KNOWN, openValves: 1, openBeyondEnd: 1, unwatched: 1 },
        "account:a1": OWNER,
        "account:a2": buildFleetAccount({ id: "a2", ...dark, unwatched: { reason: "no-session" } }),
      },
      1,
      1,
    );
    expect(water().getByText("지금 밸브 1개 이상 열림")).toBeTruthy();
    expect(water().getByText(/계정 1개는 알 수 없음/)).toBeTruthy();
  });

  it("[WARN-5] names the accounts with valves that are not watched, with the reason and the telephone", async () => {
    const account = (id: string, reason: "no-session" | "stopped-by-owner") =>
      buildFleetAccount({
        ...{ id, username: id, phone: "010-1111-2222", controllers: 1, openValves: null },
        ...{ openBeyondEnd: null, unknownValves: null, unwatched: { reason } },
      });
    await say(
      { ...KNOWN, unwatched: 2 },
      { "account:lee": account("lee", "stopped-by-owner"), "account:ann": account("ann", "no-session") },
    );
    const list = screen.getByRole("list", { name: "밸브가 있는 계정 2개를 감시하지 못합니다" });
    const lines = within(list).getAllByRole("listitem");
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      "ann농장주가 아직 이 서버로 로그인한 적이 없음010-1111-2222",
      "lee농장주가 감시를 껐음010-1111-2222",
    ]);
    expect(within(list).getAllByRole("link", { name: /^(ann|lee) 님에게 전화/ })).toHaveLength(2);
  });

  describe("closing a valve", () => {
    const calls = () => bench.requests.filter(({ call }) => call === "POST /relay/fleet/close");
    const press = async (name: string | RegExp, within_?: HTMLElement) =>
      act(async () => fireEvent.click((within_ ? within(within_) : screen).getByRole("button", { name })));
    const openDialog = async () => {
      await say(
        { ...KNOWN, urgent: { p1: 1, p2: 0 } },
        { "account:a1": OWNER },
        fleetAlarmState(buildFleetAlarm()),
      );
      await press("밸브 닫기: 토마토 베드 1CH");
      return screen.findByRole("dialog", { name: "토마토 베드 1CH 닫을까요?" });
    };
    const send = async (dialog: HTMLElement, reason = "농장주와 연락이 안 됨") => {
      fireEvent.change(within(dialog).getByRole("textbox", { name: /닫는 이유/ }), {
        target: { value: reason },
      });
      await press("밸브 닫기", dialog);
    };
    const answer = (close: () => unknown) => {
      const others = bench.answer;
      bench.answer = (call) => (call === "POST /relay/fleet/close" ? close() : others(call));
    };
    const record = (state: string, rest: object = {}) => ({
      ...{ commandId: "c", state, target: 2, until: null },
      ...rest,
    });

    it("[WARN-6] needs a reason, sends it with the valve, and says that the valve is closed", async () => {
      answer(() => record("confirmed"));
      const dialog = await openDialog();
      await press("밸브 닫기", dialog);
      expect(within(dialog).getByRole("alert").textContent).toBe("닫는 이유를 입력해 주세요");
      expect(calls()).toEqual([]);
      await send(dialog);
      expect((await within(dialog).findByRole("status")).textContent).toBe(
        "닫혔습니다. 밸브가 확인했습니다.",
      );
      expect(calls().map(({ body }) => body)).toMatchObject([
        { accountId: "a1", controllerId: "c1", channelId: "11", reason: "농장주와 연락이 안 됨" },
      ]);
      expect(screen.queryByRole("button", { name: /열기/ })).toBeNull();
    });

    it("[WARN-6] says that a sent close is not confirmed, and then what became of it", async () => {
      answer(() => record("accepted"));
      const dialog = await openDialog();
      await send(dialog);
      expect((await within(dialog).findByRole("status")).textContent).toMatch(/아직 확인하지 않았습니다/);
      await bench.change({
        "command:c": {
          ...{ id: "c", account: "a1", username: "kim", command: "onoff", controllerId: "c1" },
          ...{ channelId: "11", number: 1, target: 2, state: "unconfirmed", reason: null },
          ...{ by: { id: "u1", nickname: "김선우" }, at: "2026-11-22T03:05:00Z" },
        },
      });
      expect(within(dialog).getByRole("status").textContent).toMatch(/밸브가 응답하지 않습니다/);
      await bench.change({ "alarm:a1:alarm-1": { valve: { ...buildFleetAlarm().valve, onoff: 2 } } });
      expect(within(dialog).getByRole("status").textContent).toMatch(/^닫혔습니다/);
    });

    it("[WARN-6] says why it was refused; without an answer it is remembered, and the same is sent again", async () => {
      answer(() => refusal(403, "forbidden"));
      const dialog = await openDialog();
      await send(dialog);
      expect((await within(dialog).findByRole("alert")).textContent).toMatch(/^닫지 못했습니다\./);
      answer(() => refusal(503, "upstream-down"));
      await press("밸브 닫기", dialog);
      await within(dialog).findByTestId("remembered-command");
      answer(() => record("confirmed"));
      await within(dialog).findByText(/^닫혔습니다/, undefined, { timeout: 10_000 });
      expect(calls()[2]?.body).toEqual(calls()[1]?.body);
    });
  });
});
