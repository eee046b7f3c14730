import { createSimulatedFleet } from "@mulkko/shared/testing/simulated-fleet";
import { describe, expect, it } from "vitest";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { type Board, boardOf, nameOrder, sameBoard } from "./board.ts";
import { type FleetFilter, NO_FILTER } from "./filter.ts";

const translateType = (type: string) => (type === "SMS" ? "토양수분 센서" : type);
const board = (devices: ReturnType<typeof fleetOfDevices>, filter: Partial<FleetFilter> = {}): Board =>
  boardOf(devices, nameOrder(devices), { ...NO_FILTER, ...filter }, translateType);
const lines = ({ entries }: Board) =>
  entries.map((entry) => (entry.kind === "device" ? entry.key.slice(7) : `# ${entry.username}`));

const HOUR_AGO = "2026-11-21T23:00:00Z";
const DAY_AGO = "2026-11-21T00:00:00Z";

describe("[fleet] fleet board", () => {
  it("[fleet] sorts the worst account first, and in it the longest silence before other problems", () => {
    const devices = fleetOfDevices({
      "well 10": {},
      "well 2": {},
      new: { quality: null, heardAt: null },
      weak: { rssi: -118 },
      late: { quality: "late", heardAt: HOUR_AGO },
      "silent 1": { quality: "offline", heardAt: HOUR_AGO },
      "silent 2": { quality: "offline", heardAt: DAY_AGO },
      unsure: { quality: "unknown" },
      valves: { kind: "controller", quality: "offline", heardAt: HOUR_AGO },
      "at lee": { account: "a2", username: "lee", quality: "late", heardAt: DAY_AGO },
      "at ann": { account: "a3", username: "ann" },
    });
    expect(lines(board(devices))).toEqual([
      "# kim",
      ...["valves", "silent 2", "silent 1", "unsure", "late", "weak", "new", "well 2", "well 10"],
      ...["# lee", "at lee", "# ann", "at ann"],
    ]);
  });

  it("[WARN-3] sorts an account and a device with an urgent alarm before any silence, P1 first", () => {
    const devices = fleetOfDevices({
      "silent valves": { kind: "controller", quality: "offline", heardAt: DAY_AGO },
      "valve box": { kind: "controller", account: "a2", username: "lee", alarm: 2 },
      running: { kind: "controller", account: "a3", username: "ann", alarm: 1, heardAt: HOUR_AGO },
      gone: { account: "a3", username: "ann", quality: "offline", heardAt: DAY_AGO },
      calm: { account: "a4", username: "bo" },
    });
    // An alarm of the whole account has no device.
    const alarms = new Map([["a2", 2] as const, ["a3", 1] as const, ["a4", 2] as const]);
    const sorted = boardOf(devices, nameOrder(devices), NO_FILTER, translateType, alarms);
    expect(lines(sorted)).toEqual([
      ...["# ann", "running", "gone", "# lee", "valve box", "# bo", "calm"],
      ...["# kim", "silent valves"],
    ]);
    expect(sorted.entries.flatMap((entry) => (entry.kind === "account" ? [entry.alarm] : []))).toEqual([
      ...[1, 2, 2, null],
    ]);
    expect(Object.fromEntries(sorted.counts.alarm)).toEqual({ 1: 1, 2: 1 });
    const filtered = board(devices, { alarm: ["1"] });
    expect(lines(filtered)).toEqual(["# ann", "running"]);
  });

  it("[fleet] counts shown and silent devices of each account", () => {
    const devices = fleetOfDevices({ a: { quality: "offline" }, b: { quality: "late" }, c: {} });
    expect(board(devices).entries[0]).toEqual({
      kind: "account",
      id: "a1",
      username: "kim",
      alarm: null,
      worst: "offline",
      shown: 3,
      offline: 1,
      lost: 0,
      late: 1,
      unknown: 0,
      never: 0,
    });
    expect(board(devices, { state: ["late", "fresh"] }).entries[0]).toMatchObject({
      worst: "late",
      shown: 2,
    });
  });

  it("[fleet] counts for each chip what a click on it would show, given the other filters", () => {
    const devices = fleetOfDevices({
      a: { quality: "offline", deviceType: "AT" },
      b: { quality: "offline", battery: 5 },
      c: { quality: "late" },
      d: { account: null, fwversion: null },
    });
    const { counts, shown, total } = board(devices, { state: ["offline"], type: ["SMS"] });
    expect([shown, total]).toEqual([1, 4]);
    expect(Object.fromEntries(counts.state)).toEqual({ offline: 1, late: 1, fresh: 1 });
    expect(Object.fromEntries(counts.type)).toEqual({ AT: 1, SMS: 1 });
    expect(Object.fromEntries(counts.need)).toEqual({ battery: 1 });
    expect(Object.fromEntries(board(devices).counts.account)).toEqual({ a1: 3, "-": 1 });
    expect(Object.fromEntries(board(devices).counts.fw)).toEqual({ "1.2": 3, "-": 1 });
  });

  it("[fleet] shows and counts only the changes since an instant", () => {
    const at = (instant: string) => ({ flip: { at: instant, online: true, last: null } });
    const devices = fleetOfDevices({ a: at(HOUR_AGO), b: at(DAY_AGO), c: {} });
    const { shown, total, counts, ...rest } = board(devices, { since: "2026-11-21T12:00:00Z" });
    expect([shown, total, Object.fromEntries(counts.state)]).toEqual([1, 3, { fresh: 1 }]);
    expect(lines({ ...rest, shown, total, counts })).toEqual(["# kim", "a"]);
  });

  it("[FIND-2] finds a device by all that is known of it and of the person to call", () => {
    const devices = fleetOfDevices({
      wanted: { name: "하우스 2".normalize("NFD"), farm: "윗논", serial: 100_777, fwversion: "3.1-b" },
      other: { account: "a2", username: "lee" },
      unowned: { account: null, username: null },
    });
    const owners = new Map([
      [
        "account:a1",
        buildFleetAccount({ nickname: "김영수", phone: "010-1013-2026", farmAddress: "밀양 딸기농장" }),
      ],
      ["account:a2", buildFleetAccount({ id: "a2", nickname: null, phone: null })],
    ]);
    const found = (text: string) =>
      lines(boardOf(devices, nameOrder(devices), { ...NO_FILTER, text }, translateType, undefined, owners));
    const searches = [
      ...["하우스 2", "윗논", "100777", "100-777", "3.1-B", "kim"],
      ...["김영수", "영수", "010-1013", "01010132026", "1013 2026", "밀양", "딸기"],
    ];
    for (const text of [...searches, ...searches.map((each) => each.normalize("NFD"))]) {
      expect([text, ...found(text)]).toEqual([text, "# kim", "wanted"]);
    }
    expect(found("lee")).toEqual(["# lee", "other"]);
    expect(found("박")).toEqual([]);
    expect(found(" ").length).toBe(6);
  });

  it("[fleet] is searched by name, serial, owner, translated type and firmware", () => {
    const devices = fleetOfDevices({
      barn: { serial: 777, username: "park", deviceType: "AT", fwversion: "9.9" },
      shed: {},
    });
    for (const text of [" BARN", "777", "park", "9.9"]) {
      expect(lines(board(devices, { text }))).toEqual(["# park", "barn"]);
    }
    expect(lines(board(devices, { text: "토양수분" }))).toEqual(["# kim", "shed"]);
    expect(board(devices, { text: "nobody" }).entries).toEqual([]);
  });

  it("[fleet] renders for another order or number, but not for a reading of a device without problems", () => {
    const devices = fleetOfDevices({ a: {}, b: {} });
    const before = board(devices);
    const updated = fleetOfDevices({ a: { heardAt: "2026-11-22T00:01:00Z", battery: 79 }, b: {} });
    expect(sameBoard(before, board(updated))).toBe(true);
    expect(sameBoard(before, board(fleetOfDevices({ a: {}, b: { quality: "late" } })))).toBe(false);
  });

  it("[fleet] contains each of ten thousand devices of two hundred accounts once", () => {
    const { state } = createSimulatedFleet({ devices: 10_000, accounts: 200, now: () => 1_795_000_000_000 });
    const devices = fleetOfDevices({});
    for (const [key, value] of state) if ("kind" in value) devices.set(key, value);
    const { entries, shown } = board(devices);
    expect(shown).toBe(10_000);
    expect(entries).toHaveLength(10_200);
    expect(new Set(entries.map((entry) => (entry.kind === "device" ? entry.key : entry.id))).size).toBe(
      10_200,
    );
  });
});
