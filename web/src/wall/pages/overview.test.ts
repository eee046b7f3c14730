import type { Alarm } from "@mulkko/shared/live/alarm";
import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import {
  channelEntry as channel,
  controllerEntry as controller,
  buildLiveFarm as farm,
  sensorEntry as sensor,
} from "../testing/build-live-farm.ts";
import { fillOverview, type Tile } from "./overview.ts";
import { type ValveRow, valveRows } from "./valve-rows.ts";

const names = (tiles: readonly Tile[]) =>
  tiles.map((tile) => (tile.kind === "valve" ? tile.id : `${tile.id} ${tile.field}`));
const many = (count: number) => Array.from({ length: count }, (_, index) => sensor(`s${index + 1}`));
const valves = (count: number) => Array.from({ length: count }, (_, index) => channel(`v${index + 1}`));

describe("overview contents", () => {
  it("[wall] sorts the worst first: alarms by priority, then silent devices, then water", () => {
    const full = farm(
      [sensor("s1"), sensor("s2", { quality: "offline" }), sensor("s3", { quality: "late" }), sensor("s4")],
      [channel("v1"), channel("v2", "c1", { onoff: 1 })],
      [
        buildAlarm({ id: "a", key: "sensor:s4", priority: 2 }),
        buildAlarm({ id: "b", key: "channel:v1", priority: 1 }),
      ],
    );
    const { tiles } = fillOverview(full, 6, 0, null);
    expect(names(tiles)).toEqual(["v1", "s4 moisture", "s2 moisture", "s3 moisture", "v2", "s1 moisture"]);
  });

  it("[wall] rotates calm tiles per lap and keeps those with problems", () => {
    const full = farm([...many(9), sensor("dry", { quality: "offline" })]);
    const laps = [0, 1, 2].map((lap) => names(fillOverview(full, 4, lap, null).tiles));
    for (const lap of laps) expect(lap[0]).toBe("dry moisture");
    expect(new Set(laps.flat()).size).toBe(10);
    expect(fillOverview(full, 4, 0, null).waiting).toEqual({ count: 6, wrong: 0 });
  });

  it("[wall] gives one place in four to valves if both need space", () => {
    const { tiles, waiting } = fillOverview(farm(many(20), valves(8)), 12, 0, null);
    expect(tiles.filter(({ kind }) => kind === "valve")).toHaveLength(3);
    expect(tiles).toHaveLength(12);
    expect(waiting.count).toBe(16);
  });

  it("[wall] fills the rest with further measurements and never counts them as waiting", () => {
    const { tiles, waiting } = fillOverview(farm(many(1)), 12, 0, null);
    expect(names(tiles)[0]).toBe("s1 moisture");
    expect(names(tiles)).toContain("s1 soilTemperature");
    expect(waiting.count).toBe(0);
  });

  it("[wall] keeps a chosen order and omits a deleted sensor", () => {
    const { tiles } = fillOverview(farm(many(5)), 12, 0, ["s4", "gone", "s2"]);
    expect(names(tiles)).toEqual(["s4 moisture", "s2 moisture"]);
  });

  it("[wall] rotates problem tiles if they do not all fit, keeps the most urgent and counts the waiting ones", () => {
    const silent = Array.from({ length: 5 }, (_, index) => sensor(`s${index + 1}`, { quality: "offline" }));
    const full = farm(
      [...silent, sensor("calm")],
      [channel("v1")],
      [buildAlarm({ key: "channel:v1", priority: 1 })],
    );
    const laps = [0, 1, 2].map((lap) => fillOverview(full, 3, lap, null));
    for (const { tiles, waiting } of laps) {
      expect(names(tiles)[0]).toBe("v1");
      expect(waiting).toEqual({ count: 4, wrong: 3 });
    }
    expect(new Set(laps.flatMap(({ tiles }) => names(tiles))).size).toBe(6);
  });

  it("[wall] does not count an open valve as a problem", () => {
    const open = [1, 2, 3].map((number) => channel(`v${number}`, "c1", { onoff: 1 }));
    expect(fillOverview(farm([], open), 2, 0, null).waiting).toEqual({ count: 1, wrong: 0 });
  });

  it("[wall] shows a sensor with an alarm before the chosen ones, also if not chosen", () => {
    const full = farm(many(5), [], [buildAlarm({ key: "sensor:s3", priority: 2 })]);
    expect(names(fillOverview(full, 12, 0, ["s4", "s2"]).tiles)).toEqual([
      "s3 moisture",
      "s4 moisture",
      "s2 moisture",
    ]);
    const own = farm(many(5), [], [buildAlarm({ key: "sensor:s2", priority: 2 })]);
    expect(names(fillOverview(own, 12, 0, ["s4", "s2"]).tiles)).toEqual(["s2 moisture", "s4 moisture"]);
  });

  it("[wall] ignores snoozed alarms", () => {
    const snooze = { until: "2026-11-22T09:00:00Z", reason: "" };
    const full = farm(
      [sensor("s1"), sensor("s2")],
      [],
      [buildAlarm({ key: "sensor:s2", priority: 1, snooze })],
    );
    expect(names(fillOverview(full, 2, 0, null).tiles)[0]).toBe("s1 moisture");
  });
});

describe("valve rows", () => {
  /** Space for two units with a line of one channel each. */
  const ROOM = { columns: 1, height: 400, head: 68, line: 132, nameLine: 48 } as const;
  const units = [controller("c1"), controller("c2"), controller("c3")];
  const channels = [channel("v1", "c1"), channel("v2", "c2"), channel("v3", "c3")];
  const rowIds = (lap: number, alarms: Alarm[] = []) =>
    valveRows(farm([], channels, alarms, units), ROOM, lap).rows.map(({ channels: [first] }) => first);

  it("[wall] rotate per lap if they do not all fit, and the last turn is filled up", () => {
    expect([rowIds(0), rowIds(1), rowIds(2)]).toEqual([
      ["v1", "v2"],
      ["v3", "v1"],
      ["v1", "v2"],
    ]);
  });

  it("[wall] show a unit with a problem on every lap, at the top", () => {
    const alarms = [buildAlarm({ key: "channel:v3", priority: 1 })];
    expect([rowIds(0, alarms), rowIds(1, alarms)]).toEqual([
      ["v3", "v1"],
      ["v3", "v2"],
    ]);
  });

  it("[wall] rotate problem units if they do not all fit, and keep the most urgent", () => {
    const alarms = [
      buildAlarm({ id: "a", key: "channel:v1", priority: 2 }),
      buildAlarm({ id: "b", key: "channel:v2", priority: 1 }),
      buildAlarm({ id: "c", key: "channel:v3", priority: 2 }),
    ];
    expect([rowIds(0, alarms), rowIds(1, alarms)]).toEqual([
      ["v2", "v1"],
      ["v2", "v3"],
    ]);
    expect(valveRows(farm([], channels, alarms, units), ROOM, 0).waiting).toEqual({ count: 1, wrong: 1 });
  });

  it("[wall] show units with an open valve before closed ones", () => {
    const running = [channel("v1", "c1"), channel("v2", "c2"), channel("v3", "c3", { onoff: 1 })];
    const { rows } = valveRows(farm([], running, [], units), ROOM, 0);
    expect(rows.map(({ name }) => name)).toEqual(["c3", "c1"]);
  });

  it("[UI-9] stand side by side where a line has room for both", () => {
    const { rows, waiting } = valveRows(farm([], channels, [], units), { ...ROOM, columns: 2 }, 0);
    expect(rows.map(({ name, width }) => [name, width])).toEqual([
      ["c1", 1],
      ["c2", 1],
      ["c3", 1],
    ]);
    expect(waiting).toEqual({ count: 0, wrong: 0 });
  });

  it("[NAME-1] give names a line of their own only while no more units wait for it", () => {
    const linesAt = (height: number) => {
      const { rows, waiting, ownLine } = valveRows(farm([], channels, [], units), { ...ROOM, height }, 0);
      return { rows: rows.length, waiting: waiting.count, ownLine };
    };
    const { head, line, nameLine } = ROOM;
    expect(linesAt(3 * (head + line + nameLine))).toEqual({ rows: 3, waiting: 0, ownLine: true });
    expect(linesAt(3 * (head + line + nameLine) - 1)).toEqual({ rows: 3, waiting: 0, ownLine: false });
    expect(linesAt(3 * (head + line) - 1)).toEqual({ rows: 2, waiting: 1, ownLine: true });
    expect(linesAt(head + line + nameLine - 1)).toEqual({ rows: 1, waiting: 2, ownLine: false });
  });

  it("[UI-8] have whole names instead of their unit's on a page that is too low for both", () => {
    const { head, line } = ROOM;
    const low = valveRows(farm([], channels, [], units), { ...ROOM, columns: 2, height: head + line - 1 }, 0);
    expect(low).toMatchObject({ hasHeads: false, waiting: { count: 2, wrong: 0 } });
    expect(low.rows).toHaveLength(1);
  });

  it("[wall] continue a unit with too many channels on the next turn, none cut in half", () => {
    const many = farm(
      [],
      [1, 2, 3, 4, 5, 6].map((number) => channel(`v${number}`, "c1")),
    );
    const small = { columns: 2, height: 250, head: 46, line: 106, nameLine: 48 };
    const shown = (lap: number) => valveRows(many, small, lap).rows.map(({ channels }) => channels);
    expect([shown(0), shown(1), shown(2)]).toEqual([[["v1", "v2"]], [["v3", "v4"]], [["v5", "v6"]]]);
  });

  it("[wall] show problem channels of a large unit on every lap", () => {
    const many = farm(
      [],
      [1, 2, 3, 4, 5, 6].map((number) => channel(`v${number}`, "c1")),
      [buildAlarm({ key: "channel:v5", priority: 1 })],
    );
    const small = { columns: 2, height: 250, head: 46, line: 106, nameLine: 48 };
    for (const lap of [0, 1, 2]) {
      expect(valveRows(many, small, lap).rows.map(({ channels }) => channels)).toEqual([["v5", "v6"]]);
    }
  });

  it("[UI-9] fit any farm into any page, hide none that has room, and show each in some lap", () => {
    const random = seededRandom(11);
    const upTo = (most: number) => 1 + Math.floor(random() * most);
    for (let farms = 0; farms < 300; farms += 1) {
      const boxes = Array.from({ length: upTo(8) }, (_, index) => `c${index}`);
      const ownValves = boxes.flatMap((name, index) =>
        Array.from({ length: upTo(9) }, (_, number) =>
          channel(`v${index}${number}`, name, { onoff: random() < 0.1 ? 1 : 2 }),
        ),
      );
      const alarms = ownValves
        .filter(() => random() < 0.08)
        .map(([id]) => buildAlarm({ id, key: `channel:${id}`, priority: random() < 0.5 ? 1 : 2 }));
      const world = farm([], ownValves, alarms, boxes.map(controller));
      const head = 38 + upTo(30);
      const room = { columns: upTo(5), height: 106 + upTo(1_500), head, line: 106, nameLine: 40 };
      const seen = new Set<string>();
      for (let lap = 0; lap < 80; lap += 1) {
        const { rows, waiting, ownLine, hasHeads } = valveRows(world, room, lap);
        const heads = hasHeads ? room : { columns: 1, head: 0 };
        const line = ownLine ? room.line + room.nameLine : room.line;
        const shown = rows.flatMap(({ channels: ids }) => ids);
        expect(new Set(shown).size).toBe(shown.length);
        expect(drawnHeight(rows, heads.columns, heads.head, line)).toBeLessThanOrEqual(room.height);
        for (const id of shown) seen.add(id);
        if (shown.length < ownValves.length) expect(waiting.count).toBeGreaterThan(0);
        else expect(waiting).toEqual({ count: 0, wrong: 0 });
      }
      // Beside what is urgent or runs all the time there may be no room for the others.
      if (alarms.length === 0 && ownValves.every(([, { onoff }]) => onoff !== 1))
        expect(seen.size).toBe(ownValves.length);
    }
  });
});

/** Height that a grid gives rows in order: each stands in the line of the one before, if it has room. */
function drawnHeight(rows: readonly ValveRow[], columns: number, head: number, line: number): number {
  let height = 0;
  let free = 0;
  for (const { channels, width } of rows) {
    if (width <= free) {
      free -= width;
      continue;
    }
    height += head + Math.ceil(channels.length / columns) * line;
    free = columns - width;
  }
  return height;
}
