import type { FleetAccountValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { describe, expect, it } from "vitest";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { boardOf, nameOrder } from "./board.ts";
import { countsOver, needsOf } from "./device-state.ts";
import { NO_FILTER } from "./filter.ts";
import { batteryTexts } from "./hooks.ts";
import {
  accountsByTrouble,
  flippedSince,
  flipsByFarm,
  maintenanceTasks,
  silentLongest,
  tallyOf,
  urgencyOf,
  yesterdayEvening,
} from "./morning.ts";

const keys = (list: readonly { key: string }[]) => list.map(({ key }) => key.slice(7));
const account = (id: string, change: Partial<FleetAccountValue> = {}): FleetAccountValue => ({
  id,
  username: id,
  quality: "fresh",
  devices: 3,
  late: 0,
  offline: 0,
  unknown: 0,
  alarms: 0,
  worstAlarm: null,
  watched: true,
  ...change,
});

describe("[fleet] fleet overview", () => {
  it("[ONL-2] counts no device of an account better than the links allow, and every device once", () => {
    const counts = { devices: 15, offline: 1, lost: 2, late: 4, unknown: 3, never: 1 };
    expect(countsOver(counts, "fresh")).toEqual(counts);
    expect(countsOver(counts, "late")).toEqual({ ...counts, late: 8 });
    const unknown = { devices: 15, offline: 0, lost: 0, late: 0, unknown: 14, never: 1 };
    expect(countsOver(counts, "unknown")).toEqual(unknown);
    expect(countsOver({ devices: 2, offline: 0, late: 0, unknown: 0 }, "late")).toMatchObject({ late: 2 });
  });

  it("[LINK-1] calls no device silent because nothing is delivered", () => {
    const heardAt = "2026-11-21T00:00:00Z";
    const devices = fleetOfDevices({ a: { quality: "late", heardAt }, b: { quality: "offline", heardAt } });
    expect(keys(silentLongest(devices, "fresh"))).toEqual(["a", "b"]);
    for (const links of ["late", "unknown"] as const)
      expect(keys(silentLongest(devices, links))).toEqual(["b"]);
  });

  it("[BAT-1] does not treat a battery in volts as low, and shows it in volts", () => {
    const devices = fleetOfDevices({ volts: { battery: 3.6 }, empty: { battery: 3 } });
    expect(keys(maintenanceTasks(devices))).toEqual(["empty"]);
    expect(urgencyOf({ battery: 3.6, rssi: null, deviceType: null })).toBe(0);
    expect([3.6, 88, 3, null].map(batteryTexts)).toEqual(["3.6 V", "88 %", "3 %", "--"]);
  });

  it("[fleet] counts all devices by state and sorts the longest silence first", () => {
    const devices = fleetOfDevices({
      a: { quality: "late", heardAt: "2026-11-21T23:30:00Z" },
      b: { quality: "offline", heardAt: "2026-11-19T00:00:00Z" },
      c: { quality: "offline", heardAt: "2026-11-20T00:00:00Z" },
      d: {},
      e: { quality: null, heardAt: null },
      f: { quality: "unknown" },
    });
    expect(tallyOf(devices)).toEqual({ fresh: 1, late: 1, lost: 0, offline: 2, unknown: 1, never: 1 });
    expect(keys(silentLongest(devices))).toEqual(["b", "c", "a"]);
  });

  it("[ONL-2] counts no device as better than the links allow, and keeps devices that never reported", () => {
    const devices = fleetOfDevices({ a: {}, b: { quality: "offline" }, c: { quality: null } });
    expect(tallyOf(devices, "unknown")).toEqual({
      fresh: 0,
      late: 0,
      lost: 0,
      offline: 0,
      unknown: 2,
      never: 1,
    });
    expect(tallyOf(devices, "late")).toEqual({
      fresh: 0,
      late: 1,
      lost: 0,
      offline: 1,
      unknown: 0,
      never: 1,
    });
  });

  it("[ONL-2] counts a controller with a lost connection separately, however recent its last report", () => {
    const unit = { kind: "controller", deviceType: "CON04V" } as const;
    const devices = fleetOfDevices({
      a: { ...unit, link: "lost", heardAt: "2026-11-22T00:00:00Z" },
      b: { ...unit, link: "up" },
      c: { ...unit, link: "lost", quality: "offline", heardAt: "2026-11-21T00:00:00Z" },
    });
    expect(tallyOf(devices)).toMatchObject({ fresh: 1, lost: 1, offline: 1 });
    expect(tallyOf(devices, "unknown")).toMatchObject({ fresh: 0, lost: 0, unknown: 3 });
    expect(keys(silentLongest(devices))).toEqual(["c", "a"]);
    const board = boardOf(devices, nameOrder(devices), NO_FILTER, (type) => type);
    expect(board.entries).toMatchObject([
      { kind: "account", worst: "offline", offline: 1, lost: 1 },
      { key: "device:c" },
      { key: "device:a" },
      { key: "device:b" },
    ]);
    expect(
      boardOf(devices, nameOrder(devices), { ...NO_FILTER, state: ["lost"] }, (type) => type).shown,
    ).toBe(1);
  });

  it("[fleet] starts at six o'clock yesterday on the reader's own clock", () => {
    const now = Date.parse("2026-11-22T01:30:00Z");
    expect(new Date(yesterdayEvening(now, "Asia/Seoul")).toISOString()).toBe("2026-11-21T09:00:00.000Z");
    // It is still the previous day in New York.
    expect(new Date(yesterdayEvening(now, "America/New_York")).toISOString()).toBe(
      "2026-11-20T23:00:00.000Z",
    );
  });

  it("[fleet] lists what went offline or came back since then, newest first", () => {
    const flip = (at: string, online = false) => ({ flip: { at, online, last: null } });
    const devices = fleetOfDevices({
      old: flip("2026-11-21T08:59:59Z"),
      night: flip("2026-11-21T20:00:00Z", true),
      dawn: flip("2026-11-21T22:00:00Z"),
      never: {},
    });
    expect(keys(flippedSince(devices, Date.parse("2026-11-21T09:00:00Z")))).toEqual(["dawn", "night"]);
  });

  it("[CALL-2] lists a farm that is gone as a whole once, newest change first", () => {
    const flip = (minute: number, online = false) => ({
      flip: { at: new Date(Date.UTC(2026, 10, 21, 20, minute)).toISOString(), online, last: null },
    });
    const whole = Array.from({ length: 158 }, (_, index) => [
      `w${index}`,
      { farm: "윗논", account: "a1", ...flip(index % 30, index % 10 === 0) },
    ]);
    const devices = fleetOfDevices({
      ...Object.fromEntries(whole),
      "same account": { farm: "밭", account: "a1", ...flip(40) },
      "no farm": { account: "a1", ...flip(39) },
      "no farm either": { farm: null, account: "a1", ...flip(38) },
      "same farm name": { farm: "윗논", account: "a2", ...flip(41) },
      "no owner": { account: null, ...flip(43) },
      "no owner either": { account: null, ...flip(42) },
      unchanged: { farm: "윗논", account: "a1" },
    });
    const farms = flipsByFarm(devices, Date.parse("2026-11-21T09:00:00Z"));
    expect(farms.map(({ newest, went, back }) => [newest.device.name, went, back])).toEqual([
      ["no owner", 1, 0],
      ["no owner either", 1, 0],
      ["same farm name", 1, 0],
      ["same account", 1, 0],
      ["no farm", 2, 0],
      ["w29", 142, 16],
    ]);
  });

  it("[CALL-2] sorts accounts of equal numbers by the longest silence, and then by name", () => {
    const of = (account: string, heardAt: string, quality: "offline" | "late" = "offline") => ({
      ...{ account, username: account, quality, heardAt },
    });
    const devices = fleetOfDevices({
      a: of("c", "2026-11-03T00:00:00Z"),
      b: of("b", "2026-11-20T00:00:00Z"),
      c: of("a", "2026-11-03T00:00:00Z"),
      d: of("e", "2026-11-21T20:00:00Z", "late"),
      e: of("d", "2026-11-21T22:00:00Z", "late"),
      // The longest silence of an account counts, not that of its first device.
      ...{ f: of("f", "2026-11-20T00:00:00Z"), g: of("f", "2026-11-04T00:00:00Z") },
      ...{ h: of("g", "2026-11-05T00:00:00Z"), i: of("g", "2026-11-20T00:00:00Z") },
      well: { account: "z", username: "z" },
    });
    const expected = ["f", "g", "a", "c", "b", "e", "d", "z"];
    const accounts = [...expected].sort().map((name) => account(name, {}));
    expect(accountsByTrouble(accounts, devices, new Map()).map(({ id }) => id)).toEqual(expected);
    const board = boardOf(devices, nameOrder(devices), NO_FILTER, (type) => type);
    expect(board.entries.flatMap((entry) => (entry.kind === "account" ? [entry.id] : []))).toEqual(expected);
  });

  it("[fleet] combines low batteries and weak signals, ranked by how far they exceed their limits", () => {
    const devices = fleetOfDevices({
      "nearly low": { battery: 19 },
      empty: { battery: 1 },
      faint: { rssi: -122 },
      both: { battery: 4, rssi: -125 },
      well: { battery: 20, rssi: -110 },
      silent: { battery: 2, quality: "offline" },
      wired: { battery: null },
    });
    expect(keys(maintenanceTasks(devices))).toEqual(["both", "empty", "silent", "faint", "nearly low"]);
    expect(maintenanceTasks(devices).map(({ device }) => needsOf(device))[0]).toEqual(["battery", "signal"]);
    expect(urgencyOf({ battery: -5, deviceType: null, rssi: -300 })).toBe(2);
  });

  it("[fleet] sorts accounts as on the board, independent of earlier views", () => {
    const of = (account: string, change: Partial<FleetDeviceValue> = {}) => ({
      account,
      username: account,
      ...change,
    });
    const devices = fleetOfDevices({
      ...{ w1: of("well 10"), w2: of("well 2"), late: of("late", { quality: "late" }) },
      ...{ one: of("one of two", { quality: "offline" }), other: of("one of two") },
      ...{ all1: of("two of two", { quality: "offline" }), all2: of("two of two", { quality: "offline" }) },
    });
    const names = ["empty", "well 10", "well 2", "late", "one of two", "two of two"];
    const expected = ["two of two", "one of two", "late", "well 2", "well 10", "empty"];
    const watched = { watched: true, alarms: 3, worstAlarm: 1 } as const;
    for (const looked of [undefined, "one of two", "well 10"]) {
      const accounts = names.map((name) => account(name, name === looked ? watched : {}));
      expect(accountsByTrouble(accounts, devices, new Map()).map(({ id }) => id)).toEqual(expected);
    }
    const board = boardOf(devices, nameOrder(devices), NO_FILTER, (type) => type);
    const shown = board.entries.flatMap((entry) => (entry.kind === "account" ? [entry.id] : []));
    expect([...shown, "empty"]).toEqual(expected);
  });
});
