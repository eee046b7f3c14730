import type { Alarm } from "@mulkko/shared/live/alarm";
import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import {
  alarmLines,
  alarmNews,
  hasLeftStrip,
  inOrder,
  isFlood,
  isInStrip,
  lineBeganAt,
} from "./present-alarms.ts";

const NOON = Date.parse("2026-11-22T03:00:00Z");
const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();

const ids = (alarms: readonly Alarm[]) => alarms.map(({ id }) => id);
const many = (count: number, everyMinutes: number, change: Partial<Alarm> = {}) =>
  Array.from({ length: count }, (_, index) =>
    buildAlarm({ id: `m${index}`, key: `sensor:m${index}`, raisedAt: at(index * everyMinutes), ...change }),
  );
const seen = { by: { id: 1, nickname: "Kim" }, at: at(30), comment: null };
const snooze = { until: at(600), reason: "pump" };

describe("present alarms", () => {
  it("[UI-3] finds the one alarm in the strip, before and after it is among the others", () => {
    const priorities = [1, 2, 3] as const;
    for (const priority of priorities)
      for (const others of [[], ...priorities.map((each) => [buildAlarm({ id: "other", priority: each })])]) {
        const fresh = buildAlarm({ id: "fresh", priority, raisedAt: at(9) });
        const worst = alarmNews(inOrder([...others, fresh]))?.worst.id;
        expect(isInStrip(fresh, others)).toBe(worst === "fresh");
        expect(isInStrip(fresh, [...others, fresh])).toBe(worst === "fresh");
      }
    expect(isInStrip(buildAlarm({ snooze }), [])).toBe(false);
  });
  it("[ALM-1] orders by urgency and puts the newest first among equals", () => {
    const alarms = [
      buildAlarm({ id: "low", priority: 3, raisedAt: at(9) }),
      buildAlarm({ id: "old", priority: 2, raisedAt: at(1) }),
      buildAlarm({ id: "new", priority: 2, raisedAt: at(2) }),
      buildAlarm({ id: "worst", priority: 1, raisedAt: at(0) }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["worst", "new", "old", "low"]);
  });
  it("[ALM-1] puts running water before a missing answer of the same priority, however new that is", () => {
    const alarms = [
      buildAlarm({ id: "unconfirmed", type: "command-unconfirmed", priority: 1, raisedAt: at(9) }),
      buildAlarm({ id: "open", type: "open-too-long", priority: 1, raisedAt: at(1) }),
      buildAlarm({ id: "failed", type: "command-failed", priority: 1, raisedAt: at(5) }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["open", "failed", "unconfirmed"]);
  });
  it("[ALM-2] drops a finished alarm from the strip a minute after its end, never an active one", () => {
    const over = buildAlarm({ active: false, clearedAt: at(5) });
    const end = Date.parse(at(6));
    expect([hasLeftStrip(over, end - 1), hasLeftStrip(over, end)]).toEqual([false, true]);
    expect(hasLeftStrip(buildAlarm({}), end + 3_600_000)).toBe(false);
  });
  it("[ALM-2] puts finished, unacknowledged alarms behind active ones", () => {
    const alarms = [
      buildAlarm({ id: "over", priority: 1, active: false, clearedAt: at(5) }),
      buildAlarm({ id: "is", priority: 3 }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["is", "over"]);
  });
  it("[ALM-3] puts snoozed alarms last, whatever their priority", () => {
    const alarms = [
      buildAlarm({ id: "put off", priority: 2, snooze }),
      buildAlarm({ id: "over", priority: 3, active: false, clearedAt: at(5) }),
    ];
    expect(ids(inOrder(alarms))).toEqual(["over", "put off"]);
  });

  it("[ALM-2] counts a silence from its last reading, alone and in a group, and a group from its newest", () => {
    const silent = buildAlarm({ raisedAt: at(60), detail: { since: at(0) } });
    const later = buildAlarm({ id: "later", raisedAt: at(61), detail: { since: at(5) } });
    expect(lineBeganAt({ alarms: [silent] })).toBe(at(0));
    expect(lineBeganAt({ alarms: [later, silent] })).toBe(at(5));
    expect(lineBeganAt({ alarms: [buildAlarm({ type: "battery", raisedAt: at(2) })] })).toBe(at(2));
  });

  it("[ALM-5] treats ten within ten minutes as a flood, but not nine, nor ten over a longer time", () => {
    expect(isFlood(many(10, 1))).toBe(true);
    expect(isFlood(many(9, 1))).toBe(false);
    expect(isFlood(many(10, 10 / 9 + 0.01))).toBe(false);
    expect(isFlood([...many(3, 60), ...many(10, 1)])).toBe(true);
  });
  it("[ALM-5] groups a flood by cause with counts, ordered by the worst of each", () => {
    const flood = [
      ...many(9, 1, { type: "offline", priority: 3 }),
      buildAlarm({ id: "soil 1", type: "out-of-bounds", priority: 2, raisedAt: at(3) }),
      buildAlarm({ id: "soil 2", type: "out-of-bounds", priority: 2, raisedAt: at(4) }),
      buildAlarm({ id: "valve", type: "command-unconfirmed", priority: 1, raisedAt: at(5) }),
    ];
    const lines = alarmLines(inOrder(flood));
    expect(lines.map(({ id, alarms }) => (alarms.length === 1 ? id : [id, alarms.length]))).toEqual([
      "valve",
      ["out-of-bounds", 2],
      ["offline", 9],
    ]);
  });
  it("[ALM-5] keeps the list grouped while its alarms are acknowledged one by one", () => {
    const worked = many(12, 0.5).map((alarm, index) => (index < 11 ? { ...alarm, ack: seen } : alarm));
    expect(alarmLines(inOrder(worked)).map(({ alarms }) => alarms.length)).toEqual([12]);
  });
  it("[ALM-5] leaves snoozed alarms out of a flood and shows each on its own", () => {
    const away = many(10, 1, { snooze });
    expect(isFlood(away)).toBe(false);
    const lines = alarmLines(inOrder([...many(10, 1), ...away.map((one) => ({ ...one, id: `s${one.id}` }))]));
    expect(lines.map(({ alarms }) => alarms.length)).toEqual([10, ...Array.from({ length: 10 }, () => 1)]);
  });
  it("[ALM-5] shows each alarm on its own line without a flood", () => {
    expect(alarmLines(inOrder(many(12, 5))).every(({ alarms }) => alarms.length === 1)).toBe(true);
  });
});

describe("alarm strip content", () => {
  it("[ALM-2] is empty if every alarm is acknowledged or snoozed", () => {
    expect(alarmNews([])).toBeNull();
    expect(alarmNews([buildAlarm({ priority: 3, ack: seen }), buildAlarm({ snooze })])).toBeNull();
  });
  it("[ALM-2] is the worst unacknowledged alarm and the number of the others", () => {
    const alarms = [
      buildAlarm({ id: "a", priority: 3 }),
      buildAlarm({ id: "b", priority: 2 }),
      buildAlarm({ id: "c", priority: 2, ack: seen }),
    ];
    expect(alarmNews(inOrder(alarms))).toMatchObject({ worst: { id: "b" }, more: 1 });
  });
  it("[ALM-2] includes an acknowledged P1 while it is active, behind unacknowledged alarms", () => {
    const valve = buildAlarm({ id: "valve", priority: 1, ack: seen });
    expect(alarmNews([valve])).toMatchObject({ worst: { id: "valve" }, more: 0 });
    const both = inOrder([valve, buildAlarm({ id: "soil", priority: 2 })]);
    expect(alarmNews(both)).toMatchObject({ worst: { id: "soil" }, more: 1 });
  });
});
