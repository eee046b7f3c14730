import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { describe, expect, it } from "vitest";
import { boardOf, nameOrder } from "../../domain/fleet/board.ts";
import { isAmiss } from "../../domain/fleet/device-state.ts";
import { NO_FILTER } from "../../domain/fleet/filter.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { type FleetRows, fleetColumns, fleetRows } from "./fleet-rows.ts";

const OFFLINE = { quality: "offline" } as const;
const LEE = { account: "a2", username: "lee" } as const;

const rowsOf = (devices: Readonly<Record<string, Partial<FleetDeviceValue>>>, lines: number, lap = 0) => {
  const fleet = fleetOfDevices(devices);
  const wanted = (key: string) => {
    const device = fleet.get(key);
    return device !== undefined && isAmiss(device);
  };
  const { entries } = boardOf(fleet, nameOrder(fleet), NO_FILTER, (type) => type);
  return fleetRows(entries, wanted, lines, lap);
};
const lines = ({ groups }: FleetRows) =>
  groups.flatMap(({ username, keys }) => [`# ${username}`, ...keys.map((key) => key.slice(7))]);

describe("fleet lines on a wall", () => {
  const farms = { a1: OFFLINE, a2: { battery: 3 }, a3: {}, a4: {}, b1: { ...LEE, ...OFFLINE }, b2: LEE };

  it("[wall] shows problem devices of every account before healthy ones of any", () => {
    const rows = rowsOf(farms, 6);
    expect(lines(rows)).toEqual(["# kim", "a1", "a2", "a3", "# lee", "b1"]);
    expect(rows.waiting).toEqual({ count: 2, wrong: 0 });
  });

  it("[wall] rotates healthy devices through the remaining space, under their account", () => {
    const own = [0, 1, 2, 3].map((lap) => lines(rowsOf(farms, 6, lap)));
    expect(own[1]).toEqual(["# kim", "a1", "a2", "a4", "# lee", "b1"]);
    expect(own[2]).toEqual(["# kim", "a1", "a2", "# lee", "b1", "b2"]);
    expect(own[3]).toEqual(own[0]);
    expect(rowsOf(farms, 8).waiting).toEqual({ count: 0, wrong: 0 });
  });

  it("[wall] rotates problem devices if they do not all fit, each time under their account", () => {
    const turns = [0, 1, 2].map((lap) => rowsOf(farms, 3, lap));
    expect(turns.map(lines)).toEqual([
      ["# kim", "a1", "a2"],
      ["# lee", "b1"],
      ["# kim", "a1", "a2"],
    ]);
    expect(turns.map(({ waiting }) => waiting)).toEqual([
      { count: 4, wrong: 1 },
      { count: 5, wrong: 2 },
      { count: 4, wrong: 1 },
    ]);
  });

  it("[wall] fills the last turn's free space from the beginning", () => {
    const one = { a1: {}, a2: {}, a3: {}, a4: {}, a5: {} };
    expect(lines(rowsOf(one, 5, 1))).toEqual(["# kim", "a5", "a1", "a2", "a3"]);
    const two = { ...one, b1: LEE, b2: LEE };
    expect(lines(rowsOf(two, 6, 1))).toEqual(["# lee", "b1", "b2", "# kim", "a1", "a2"]);
  });

  it("[wall] shows each of thousands of devices over the laps, and no page exceeds its space", () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`d${n}`, { account: `a${n % 40}`, username: `u${n % 40}` }]),
    );
    const seen = new Set<string>();
    for (let lap = 0; lap < 60; lap += 1) {
      const page = lines(rowsOf(many, 15, lap));
      expect(page.length).toBeLessThanOrEqual(15);
      for (const line of page) seen.add(line);
    }
    expect([...seen].filter((line) => !line.startsWith("#"))).toHaveLength(500);
  });
});

it("[wall] omits redundant columns first on a narrower board, never name, heartbeats and age", () => {
  const columns = (width: number) => fleetColumns(width).map(({ column }) => column);
  expect(columns(1_824)).toEqual(["name", "owner", "type", "battery", "signal", "fw", "heartbeat", "age"]);
  expect(columns(1_425)).toEqual(["name", "type", "battery", "signal", "heartbeat", "age"]);
  expect(columns(829)).toEqual(["name", "battery", "heartbeat", "age"]);
  expect(columns(700)).toEqual(["name", "heartbeat", "age"]);
  for (const width of [700, 825, 1_050, 1_305, 1_500, 1_700]) {
    const taken = fleetColumns(width).reduce((sum, { width: own }) => sum + (own ?? 0), 0);
    expect(width - taken).toBeGreaterThanOrEqual(300);
  }
});
