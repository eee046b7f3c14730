import type { FleetAccountValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { describe, expect, it } from "vitest";
import { fleetOfDevices } from "../testing/build-fleet-device.ts";
import { boardOf, nameOrder } from "./board.ts";
import { NO_FILTER } from "./filter.ts";
import {
  accountsByTrouble,
  errands,
  flippedSince,
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

describe("[fleet] the morning page", () => {
  it("[fleet] counts how all devices stand, and has who is silent the longest first", () => {
    const devices = fleetOfDevices({
      a: { quality: "late", heardAt: "2026-11-21T23:30:00Z" },
      b: { quality: "offline", heardAt: "2026-11-19T00:00:00Z" },
      c: { quality: "offline", heardAt: "2026-11-20T00:00:00Z" },
      d: {},
      e: { quality: null, heardAt: null },
      f: { quality: "unknown" },
    });
    expect(tallyOf(devices)).toEqual({ fresh: 1, late: 1, offline: 2, unknown: 1, never: 1 });
    expect(keys(silentLongest(devices))).toEqual(["b", "c", "a"]);
  });

  it("[ONL-2] counts nobody as better than the links allow; who was never heard stays so", () => {
    const devices = fleetOfDevices({ a: {}, b: { quality: "offline" }, c: { quality: null } });
    expect(tallyOf(devices, "unknown")).toEqual({ fresh: 0, late: 0, offline: 0, unknown: 2, never: 1 });
    expect(tallyOf(devices, "late")).toEqual({ fresh: 0, late: 1, offline: 1, unknown: 0, never: 1 });
  });

  it("[fleet] the evening before is six o'clock yesterday on the reader's own clock", () => {
    const now = Date.parse("2026-11-22T01:30:00Z");
    expect(new Date(yesterdayEvening(now, "Asia/Seoul")).toISOString()).toBe("2026-11-21T09:00:00.000Z");
    // It is still the day before in New York.
    expect(new Date(yesterdayEvening(now, "America/New_York")).toISOString()).toBe(
      "2026-11-20T23:00:00.000Z",
    );
  });

  it("[fleet] shows what went offline or came back since then, the newest first", () => {
    const flip = (at: string, online = false) => ({ flip: { at, online, last: null } });
    const devices = fleetOfDevices({
      old: flip("2026-11-21T08:59:59Z"),
      night: flip("2026-11-21T20:00:00Z", true),
      dawn: flip("2026-11-21T22:00:00Z"),
      never: {},
    });
    expect(keys(flippedSince(devices, Date.parse("2026-11-21T09:00:00Z")))).toEqual(["dawn", "night"]);
  });

  it("[fleet] low batteries and weak signals are one list, ranked by how far they are beyond their limits", () => {
    const devices = fleetOfDevices({
      "nearly low": { battery: 19 },
      empty: { battery: 1 },
      faint: { rssi: -122 },
      both: { battery: 4, rssi: -125 },
      well: { battery: 20, rssi: -110 },
      silent: { battery: 2, quality: "offline" },
      wired: { battery: null },
    });
    expect(keys(errands(devices))).toEqual(["both", "empty", "silent", "faint", "nearly low"]);
    expect(errands(devices)[0]?.needs).toEqual(["battery", "signal"]);
    expect(urgencyOf({ battery: -5, rssi: -300 })).toBe(2);
  });

  it("[fleet] accounts stand as on the board, whichever of them someone has looked at", () => {
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
      expect(accountsByTrouble(accounts, devices).map(({ id }) => id)).toEqual(expected);
    }
    const board = boardOf(devices, nameOrder(devices), NO_FILTER, (type) => type);
    const shown = board.entries.flatMap((entry) => (entry.kind === "account" ? [entry.id] : []));
    expect([...shown, "empty"]).toEqual(expected);
  });
});
