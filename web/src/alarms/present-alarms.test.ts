import type { Alarm } from "@mulkko/shared/live/alarm";
import { describe, expect, it } from "vitest";
import { buildAlarm } from "../testing/build-alarm.ts";
import { alarmLines, alarmNews, hasLeftStrip, inOrder, isFlood } from "./present-alarms.ts";

const NOON = Date.parse("2026-11-22T03:00:00Z");
const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();

const ids = (alarms: readonly Alarm[]) => alarms.map(({ id }) => id);
const many = (count: number, everyMinutes: number, change: Partial<Alarm> = {}) =>
  Array.from({ length: count }, (_, index) =>
    buildAlarm({ id: `m${index}`, key: `sensor:m${index}`, raisedAt: at(index * everyMinutes), ...change }),
  );
const seen = { by: { id: 1, nickname: "Kim" }, at: at(30), comment: null };
const putOff = { until: at(600), reason: "pump" };

describe("present alarms", () => {
  it("[ALM-1] stand from the most urgent to the least, the newest first among equals", () => {
    const alarms = [
      buildAlarm({ id: "low", priority: 3, raisedAt: at(9) }),
      buildAlarm({ id: "old", priority: 2, raisedAt: at(1) }),
      buildAlarm({ id: "new", priority: 2, raisedAt: at(2) }),
      buildAlarm({ id: "worst", priority: 1, raisedAt: at(0) }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["worst", "new", "old", "low"]);
  });
  it("[ALM-1] of one priority, running water stands before a missing answer, however new that is", () => {
    const alarms = [
      buildAlarm({ id: "unconfirmed", type: "command-unconfirmed", priority: 1, raisedAt: at(9) }),
      buildAlarm({ id: "open", type: "open-too-long", priority: 1, raisedAt: at(1) }),
      buildAlarm({ id: "failed", type: "command-failed", priority: 1, raisedAt: at(5) }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["open", "failed", "unconfirmed"]);
  });
  it("[ALM-2] a finished alarm leaves the strip a minute after it ended, an active one never", () => {
    const over = buildAlarm({ active: false, clearedAt: at(5) });
    const end = Date.parse(at(6));
    expect([hasLeftStrip(over, end - 1), hasLeftStrip(over, end)]).toEqual([false, true]);
    expect(hasLeftStrip(buildAlarm({}), end + 3_600_000)).toBe(false);
  });
  it("[ALM-2] what is over and waits to be seen stands behind what is still so", () => {
    const alarms = [
      buildAlarm({ id: "over", priority: 1, active: false, clearedAt: at(5) }),
      buildAlarm({ id: "is", priority: 3 }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["is", "over"]);
  });
  it("[ALM-3] what is put off stands last, whatever its priority", () => {
    const alarms = [
      buildAlarm({ id: "put off", priority: 2, snooze: putOff }),
      buildAlarm({ id: "over", priority: 3, active: false, clearedAt: at(5) }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["over", "put off"]);
  });

  it("[ALM-5] ten within ten minutes are a flood, nine or ten over a longer time are none", () => {
    expect(isFlood(many(10, 1))).toBe(true);
    expect(isFlood(many(9, 1))).toBe(false);
    expect(isFlood(many(10, 10 / 9 + 0.01))).toBe(false);
    expect(isFlood([...many(3, 60), ...many(10, 1)])).toBe(true);
  });
  it("[ALM-5] a flood stands under its causes with their numbers, in the order of the worst of each", () => {
    const flood = [
      ...many(9, 1, { type: "offline", priority: 3 }),
      buildAlarm({ id: "soil 1", type: "out-of-bounds", priority: 2, raisedAt: at(3) }),
      buildAlarm({ id: "soil 2", type: "out-of-bounds", priority: 2, raisedAt: at(4) }),
      buildAlarm({ id: "valve", type: "command-unconfirmed", priority: 1, raisedAt: at(5) }),
    ];
    const lines = alarmLines(inOrder(flood));
    expect(lines.map((line) => (line.kind === "one" ? line.id : [line.id, line.alarms.length]))).toEqual([
      "valve",
      ["out-of-bounds", 2],
      ["offline", 9],
    ]);
  });
  it("[ALM-5] the list stays grouped while its alarms are acknowledged one by one", () => {
    const worked = many(12, 0.5).map((alarm, index) => (index < 11 ? { ...alarm, ack: seen } : alarm));
    expect(alarmLines(inOrder(worked)).map(({ kind }) => kind)).toEqual(["group"]);
  });
  it("[ALM-5] what is put off makes no flood and stays by itself", () => {
    const away = many(10, 1, { snooze: putOff });
    expect(isFlood(away)).toBe(false);
    const lines = alarmLines(inOrder([...many(10, 1), ...away.map((one) => ({ ...one, id: `s${one.id}` }))]));
    expect(lines.map(({ kind }) => kind)).toEqual(["group", ...Array.from({ length: 10 }, () => "one")]);
  });
  it("[ALM-5] without a flood every alarm is a line of its own", () => {
    expect(alarmLines(inOrder(many(12, 5))).every(({ kind }) => kind === "one")).toBe(true);
  });
});

describe("what the strip tells", () => {
  it("[ALM-2] nothing where everything was seen or put off", () => {
    expect(alarmNews([])).toBeNull();
    expect(alarmNews([buildAlarm({ priority: 3, ack: seen }), buildAlarm({ snooze: putOff })])).toBeNull();
  });
  it("[ALM-2] the worst that nobody has seen, and how many more", () => {
    const alarms = [
      buildAlarm({ id: "a", priority: 3 }),
      buildAlarm({ id: "b", priority: 2 }),
      buildAlarm({ id: "c", priority: 2, ack: seen }),
    ];
    expect(alarmNews(inOrder(alarms))).toMatchObject({ worst: { id: "b" }, more: 1 });
  });
  it("[ALM-2] a P1 that was seen is told as long as it is so, behind what nobody has seen", () => {
    const valve = buildAlarm({ id: "valve", priority: 1, ack: seen });
    expect(alarmNews([valve])).toMatchObject({ worst: { id: "valve" }, more: 0 });
    const both = inOrder([valve, buildAlarm({ id: "soil", priority: 2 })]);
    expect(alarmNews(both)).toMatchObject({ worst: { id: "soil" }, more: 1 });
  });
});
