import type { Alarm } from "@mulkko/shared/live/alarm";
import type { FleetAccountValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { BEAT_SLOTS } from "@mulkko/shared/rest/fleet";
import { eventually } from "@mulkko/shared/testing/eventually";
import { act, cleanup, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SETTLE_MS } from "../../domain/fleet/fleet-store.ts";
import { RECONNECT_GRACE_MS } from "../../live/link.ts";
import type { FakeSocket } from "../../live/testing/fake-relay.ts";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
import { buildFleetAlarm, fleetAlarmState } from "../../testing/build-fleet-alarm.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { FleetFoot } from "../freshness/FleetFoot.tsx";
import { createWallBench, type WallBench } from "../testing/wall-bench.tsx";
import FleetPage, { urgentRoom } from "./FleetPage.tsx";

const OFFLINE = { quality: "offline", heardAt: "2026-11-21T00:00:00Z" } as const;

describe("fleet on an administrator's wall", () => {
  let wall: WallBench;
  let socket: FakeSocket;
  const asked: string[] = [];
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const accountStates = () =>
    [...document.querySelectorAll(".wall-fleet__account [role=img]")].map((mark) =>
      mark.getAttribute("aria-label"),
    );
  const say = async (
    devices: Readonly<Record<string, Partial<FleetDeviceValue>>>,
    others: Record<string, Record<string, unknown>> = {},
  ) => {
    const state = { ...Object.fromEntries(fleetOfDevices(devices)), ...others };
    await act(async () => {
      socket.say({ t: "snapshot", stream: "fleet", epoch: "f1", offset: 1, part: 1, of: 1, state });
      wall.live.paint();
      await wall.live.timers.pass(SETTLE_MS);
    });
  };

  beforeEach(async () => {
    // Size of the page on a television viewed from three metres.
    vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1824);
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(830);
    wall = await createWallBench();
    asked.length = 0;
    wall.answer = (url) => {
      asked.push(url);
      const beats = { d1: `${"0".repeat(BEAT_SLOTS / 2)}${"1".repeat(BEAT_SLOTS / 2)}` };
      return { from: "2026-11-20T00:00:00.000Z", slotMs: 1_800_000, beats };
    };
    wall.show(<FleetPage lap={0} />);
    socket = await wall.bring({});
  });

  it("[wall] shows devices under their accounts, worst first, with all columns of the desktop board", async () => {
    await say({
      d1: { name: "1동", ...OFFLINE, battery: 12 },
      d2: { name: "2동", account: "a2", username: "lee" },
    });
    expect(texts(".wall-fleet__account th")).toEqual(["kim오프라인 11대", "lee1대"]);
    expect(accountStates()).toEqual(["오프라인", "실시간"]);
    const [first] = texts(".wall-fleet__device");
    for (const word of ["1동", "kim", "토양수분 센서", "12 %", "−80 dBm", "1.2"])
      expect(first).toContain(word);
    expect(texts("thead th").join(" ")).toBe("이름 계정 종류 배터리 신호 세기 펌웨어 최근 48시간 경과");
    expect(texts(".wall-fleet__counts dd")).toEqual(["1", "0", "1"]);
  });

  it("[wall] never shows a part of the fleet as if it were the whole", async () => {
    await say({ d1: OFFLINE }, { "fleet:list": { loaded: 1, total: 3028, knownSince: null } });
    expect(document.body.textContent).toContain("불러오는 중 · 3028대 중 1대");
    expect(texts(".wall-fleet__counts dd")).toEqual([]);
    await say({ d1: OFFLINE }, { "fleet:list": { loaded: 1, total: 1, knownSince: null } });
    expect(texts(".wall-fleet__counts dd")).toEqual(["1", "0", "0"]);
  });

  const LIST = { loaded: 2, total: 2, knownSince: null };
  const WATER = { openValves: 1, openBeyondEnd: 1, unknownValves: 0 };
  const account = (id: string, change: Partial<FleetAccountValue> = {}) => ({
    [`account:${id}`]: buildFleetAccount({ id, controllers: 1, ...WATER, ...change }),
  });

  it("[WARN-7] lists urgent alarms above the devices, with farm, subject, user and telephone", async () => {
    const lower = buildFleetAlarm({
      id: "b",
      account: "a2",
      username: "lee",
      priority: 2,
      type: "no-access",
    });
    await say(
      { d1: OFFLINE, d2: { account: "a2", username: "lee", kind: "controller", alarm: 2 } },
      {
        "fleet:list": { ...LIST, ...WATER, urgent: { p1: 1, p2: 1 }, unwatched: 2 },
        ...account("a1", { nickname: "김다온", phone: "010-1234-5678" }),
        ...fleetAlarmState(lower, buildFleetAlarm()),
      },
    );
    const [first, second] = screen.getAllByTestId("fleet-urgent").map(({ textContent }) => textContent);
    for (const part of [
      "춘천 농장 (kim)",
      "김다온 010-1234-5678",
      "예정보다 오래 열려 있음 · 토마토 베드 1CH",
      "12:00",
    ])
      expect(first).toContain(part);
    expect(second).toContain("농장 서버에 접근할 수 없음");
    expect(screen.getByTestId("fleet-water").textContent).toBe(
      "열린 밸브 1 이상종료 시각 넘김 1감시 못 하는 계정 2",
    );
    expect(texts(".wall-fleet__account b")).toEqual(["kim", "lee"]);
  });

  it("[WARN-4] says that water and urgent alarms are not known, and counts them once all are read", async () => {
    await say({ d1: {} });
    expect(screen.getByTestId("fleet-water").textContent).toBe("열린 밸브 알 수 없음긴급 경보 알 수 없음");
    await say(
      { d1: {}, d2: {} },
      { "fleet:list": { ...LIST, ...WATER, urgent: { p1: 0, p2: 0 }, unwatched: 0 }, ...account("a1") },
    );
    expect(screen.getByTestId("fleet-water").textContent).toBe("열린 밸브 1종료 시각 넘김 1");
  });

  it("[WARN-7] leaves room for devices below any number of alarms", () => {
    for (let lines = 2; lines < 40; lines += 1) {
      for (let count = 0; count < 60; count += 1) {
        const { most, left } = urgentRoom(count, lines);
        const used = most * 2 + (count > most ? 1 : 0);
        expect(most).toBe(Math.min(count, most));
        if (count > 0) expect(most).toBeGreaterThan(0);
        expect(left).toBe(Math.max(0, lines - used));
        if (lines >= 6) expect(left).toBeGreaterThan(1);
      }
    }
  });

  it("[WARN-7] has a foot about the worst alarm of all accounts, and reports a P1 for pin and sound", async () => {
    const urgent: (string | null)[] = [];
    const tell = (alarm: Alarm | null) => void urgent.push(alarm?.id ?? null);
    cleanup();
    wall = await createWallBench();
    wall.show(<FleetFoot account="1" whole onUrgent={tell} />);
    socket = await wall.bring({});
    await say({}, { "fleet:list": LIST, ...fleetAlarmState(buildFleetAlarm({ account: "1", id: "own" })) });
    // The own farm's alarm arrives with its own stream.
    expect(document.querySelector(".alarm-foot")).toBeNull();
    await say(
      {},
      {
        "fleet:list": { ...LIST, urgent: { p1: 1, p2: 0 } },
        ...account("a1", { nickname: "김다온", phone: "010-1234-5678" }),
        ...fleetAlarmState(buildFleetAlarm()),
      },
    );
    const foot = screen.getByRole("alert");
    expect(foot.getAttribute("data-priority")).toBe("1");
    for (const part of [
      "춘천 농장 (kim)",
      "토마토 베드 1CH",
      "예정보다 오래 열려 있음",
      "김다온010-1234-5678",
    ])
      expect(foot.textContent).toContain(part);
    expect(urgent.at(-1)).toBe("alarm-1");
    await say({}, { "fleet:list": { ...LIST, urgent: { p1: 0, p2: 0 } } });
    expect(document.querySelector(".alarm-foot")).toBeNull();
    expect(urgent.at(-1)).toBeNull();
  });

  it("[wall] requests the heartbeats of the displayed devices", async () => {
    await say({ d1: OFFLINE });
    await eventually(() => expect(asked).toEqual(["/relay/fleet/beats?ids=d1"]));
    await eventually(() =>
      expect(document.querySelector(".heartbeat")?.getAttribute("aria-label")).toBe(
        "최근 48시간 중 50% 수신",
      ),
    );
  });

  it("[ONL-2] counts no device as live while the links are down", async () => {
    await say({ d1: OFFLINE, d2: {}, d3: {} });
    expect(texts(".wall-fleet__counts dd")).toEqual(["1", "0", "2"]);
    await act(async () => {
      socket.cut();
      await wall.live.timers.pass(RECONNECT_GRACE_MS);
      wall.live.client.connection.update();
    });
    const counts = Object.fromEntries(
      texts(".wall-fleet__counts dt").map((state, index) => [state, texts(".wall-fleet__counts dd")[index]]),
    );
    expect(counts).toMatchObject({ "확인 불가": "3", 실시간: "0" });
    expect(accountStates()).toEqual(["확인 불가"]);
    expect(texts(".wall-fleet__account th")).toEqual(["kim확인 불가 33대"]);
  });

  it("[wall] reports missing permission or an empty fleet", async () => {
    expect(texts(".wall-empty")).toEqual(["모든 계정의 장치를 불러오고 있습니다"]);
    await say({});
    expect(texts(".wall-empty")).toEqual(["등록된 장치가 없습니다"]);
    await act(async () => {
      socket.say({ t: "error", code: "forbidden", message: "no", temporary: false, ref: "subscribe" });
      await wall.live.timers.pass(2 * SETTLE_MS);
    });
    expect(texts(".wall-empty")).toEqual(["이 상황판에는 전체 장치를 볼 권한이 없습니다"]);
  });
});
