import type { Alarm } from "@mulkko/shared/live/alarm";
import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import {
  channelEntry as channel,
  controllerEntry as controller,
  buildLiveFarm as farm,
  sensorEntry as sensor,
} from "../testing/build-live-farm.ts";
import { desiredBand } from "./desired-band.ts";
import { fillOverview, type Tile } from "./overview.ts";
import { valveRows } from "./valve-rows.ts";

const names = (tiles: readonly Tile[]) =>
  tiles.map((tile) => (tile.kind === "valve" ? tile.id : `${tile.id} ${tile.field}`));
const many = (count: number) => Array.from({ length: count }, (_, index) => sensor(`s${index + 1}`));
const valves = (count: number) => Array.from({ length: count }, (_, index) => channel(`v${index + 1}`));

describe("what fills the overview", () => {
  it("[wall] the worst stands first: alarms by their urgency, then what is silent, then water", () => {
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

  it("[wall] what is calm takes turns from lap to lap, and what is wrong never goes", () => {
    const full = farm([...many(9), sensor("dry", { quality: "offline" })]);
    const laps = [0, 1, 2].map((lap) => names(fillOverview(full, 4, lap, null).tiles));
    for (const lap of laps) expect(lap[0]).toBe("dry moisture");
    expect(new Set(laps.flat()).size).toBe(10);
    expect(fillOverview(full, 4, 0, null).waiting).toEqual({ count: 6, wrong: 0 });
  });

  it("[wall] one place in four is a valve's where both want to be seen", () => {
    const { tiles, waiting } = fillOverview(farm(many(20), valves(8)), 12, 0, null);
    expect(tiles.filter(({ kind }) => kind === "valve")).toHaveLength(3);
    expect(tiles).toHaveLength(12);
    expect(waiting.count).toBe(16);
  });

  it("[wall] further measurements fill what is left, and never count as waiting", () => {
    const { tiles, waiting } = fillOverview(farm(many(1)), 12, 0, null);
    expect(names(tiles)[0]).toBe("s1 moisture");
    expect(names(tiles)).toContain("s1 soilTemperature");
    expect(waiting.count).toBe(0);
  });

  it("[wall] somebody's own choice stands in its order, and a sensor that is gone is left out", () => {
    const { tiles } = fillOverview(farm(many(5)), 12, 0, ["s4", "gone", "s2"]);
    expect(names(tiles)).toEqual(["s4 moisture", "s2 moisture"]);
  });

  it("[wall] what is wrong takes turns where not all of it has room, the most urgent stays, and what waits is told", () => {
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

  it("[wall] a valve that is open is no reason to say that something is wrong", () => {
    const open = [1, 2, 3].map((number) => channel(`v${number}`, "c1", { onoff: 1 }));
    expect(fillOverview(farm([], open), 2, 0, null).waiting).toEqual({ count: 1, wrong: 0 });
  });

  it("[wall] a sensor with an alarm stands before somebody's own choice, also where it was not chosen", () => {
    const full = farm(many(5), [], [buildAlarm({ key: "sensor:s3", priority: 2 })]);
    expect(names(fillOverview(full, 12, 0, ["s4", "s2"]).tiles)).toEqual([
      "s3 moisture",
      "s4 moisture",
      "s2 moisture",
    ]);
    const own = farm(many(5), [], [buildAlarm({ key: "sensor:s2", priority: 2 })]);
    expect(names(fillOverview(own, 12, 0, ["s4", "s2"]).tiles)).toEqual(["s2 moisture", "s4 moisture"]);
  });

  it("[wall] what was put off is not shouted", () => {
    const snooze = { until: "2026-11-22T09:00:00Z", reason: "" };
    const full = farm(
      [sensor("s1"), sensor("s2")],
      [],
      [buildAlarm({ key: "sensor:s2", priority: 1, snooze })],
    );
    expect(names(fillOverview(full, 2, 0, null).tiles)[0]).toBe("s1 moisture");
  });
});

describe("the rows of valves", () => {
  /** Two boxes with a line of channels each. */
  const ROOM = { columns: 4, height: 400, head: 68, line: 132 } as const;
  const boxes = [controller("c1"), controller("c2"), controller("c3")];
  const channels = [channel("v1", "c1"), channel("v2", "c2"), channel("v3", "c3")];
  const rowIds = (lap: number, alarms: Alarm[] = []) =>
    valveRows(farm([], channels, alarms, boxes), ROOM, lap).rows.map(({ channels: [first] }) => first);

  it("[wall] go on from lap to lap where not all have room", () => {
    expect([rowIds(0), rowIds(1), rowIds(2)]).toEqual([["v1", "v2"], ["v3"], ["v1", "v2"]]);
  });

  it("[wall] a box with something wrong is on every lap, at the top", () => {
    const alarms = [buildAlarm({ key: "channel:v3", priority: 1 })];
    expect([rowIds(0, alarms), rowIds(1, alarms)]).toEqual([
      ["v3", "v1"],
      ["v3", "v2"],
    ]);
  });

  it("[wall] where not all boxes with something wrong have room they take turns, the most urgent stays", () => {
    const alarms = [
      buildAlarm({ id: "a", key: "channel:v1", priority: 2 }),
      buildAlarm({ id: "b", key: "channel:v2", priority: 1 }),
      buildAlarm({ id: "c", key: "channel:v3", priority: 2 }),
    ];
    expect([rowIds(0, alarms), rowIds(1, alarms)]).toEqual([
      ["v2", "v1"],
      ["v2", "v3"],
    ]);
    expect(valveRows(farm([], channels, alarms, boxes), ROOM, 0).waiting).toEqual({ count: 1, wrong: 1 });
  });

  it("[wall] a box with more channels than have room goes on with the rest, none of them cut in half", () => {
    const many = farm(
      [],
      [1, 2, 3, 4, 5, 6].map((number) => channel(`v${number}`, "c1")),
    );
    const small = { columns: 2, height: 250, head: 46, line: 106 };
    const shown = (lap: number) => valveRows(many, small, lap).rows.map(({ channels }) => channels);
    expect([shown(0), shown(1), shown(2)]).toEqual([[["v1", "v2"]], [["v3", "v4"]], [["v5", "v6"]]]);
  });

  it("[wall] of a box with many channels those with something wrong are on every lap", () => {
    const many = farm(
      [],
      [1, 2, 3, 4, 5, 6].map((number) => channel(`v${number}`, "c1")),
      [buildAlarm({ key: "channel:v5", priority: 1 })],
    );
    const small = { columns: 2, height: 250, head: 46, line: 106 };
    for (const lap of [0, 1, 2]) {
      expect(valveRows(many, small, lap).rows.map(({ channels }) => channels)).toEqual([["v5", "v6"]]);
    }
  });
});

describe("the desired range", () => {
  const modes = (active: "automatic" | "none") => ({
    active,
    automatic: { lowerBound: 25, upperBound: 35, wateringDuration: 10 },
    reservation: null,
    period: null,
  });
  const channels = (active: "automatic" | "none") =>
    new Map([channel("v1", "c1", { sensorIds: ["s1"], modes: modes(active) })]);

  it("[wall] is that of the automatic mode in charge of the sensor, for its moisture alone", () => {
    expect(desiredBand(channels("automatic"), "s1", "moisture")).toEqual({ low: 25, high: 35 });
    expect(desiredBand(channels("automatic"), "s1", "ec")).toBeNull();
    expect(desiredBand(channels("automatic"), "s2", "moisture")).toBeNull();
    expect(desiredBand(channels("none"), "s1", "moisture")).toBeNull();
  });
});
