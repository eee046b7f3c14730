import { describe, expect, test } from "vitest";
import { createHarness, type Harness, minutes } from "../../../testing/watering-harness.ts";
import { missingOf, NO_SETTINGS } from "./engine-settings.ts";
import { later, newState, restored } from "./engine-state.ts";

const NOON = Date.parse("2026-11-21T03:00:00Z");
const automatic = (lowerBound: number | null, upperBound: number | null, wateringDuration = 20) => ({
  active: "automatic" as const,
  automatic: { lowerBound, upperBound, wateringDuration },
});
const period = (wateringInterval: number, wateringDuration: number, repeat = true) => ({
  active: "period" as const,
  period: { wateringInterval, wateringDuration, repeat },
});
const reservation = (onTime: string, wateringDuration: number, repeat = true, timezone = "Asia/Seoul") => ({
  active: "reservation" as const,
  timezone,
  reservation: { onTime, wateringDuration, repeat },
});
const spans = (harness: Harness) =>
  harness.runs.map(({ from, closed, reason }) => [
    from / 60_000,
    closed === null ? null : closed / 60_000,
    reason,
  ]);

/** Create a harness at a moisture, with settings applied. */
function at(moisture: number | null, settings: Parameters<Harness["set"]>[0], start = NOON): Harness {
  const harness = createHarness(start);
  harness.moisture = moisture;
  harness.set(settings);
  return harness;
}

describe("automatic", () => {
  test("[AUTO-2] with only a lower bound it opens below it and closes after the duration, wet or not", () => {
    const harness = at(25, automatic(25, null));
    harness.pass(minutes(1));
    expect(harness.runs).toEqual([]);
    harness.moisture = 24.9;
    harness.pass(minutes(1));
    harness.moisture = 90;
    harness.pass(minutes(30));
    expect(spans(harness)).toEqual([[1 + 10 / 60, 21 + 10 / 60, "done"]]);
  });

  test("[AUTO-3] with only an upper bound it opens three points below it and closes at it", () => {
    const harness = at(27, automatic(null, 30));
    expect(harness.runs).toEqual([]);
    harness.moisture = 26.9;
    harness.pass(minutes(5));
    harness.moisture = 30;
    harness.pass(minutes(1));
    expect(spans(harness)).toEqual([[10 / 60, 5 + 10 / 60, "upper-bound"]]);
  });

  test("[AUTO-4] with both bounds it opens below the lower and closes at the upper or at the duration", () => {
    const harness = at(24, automatic(25, 30));
    harness.pass(minutes(3));
    harness.moisture = 29.9;
    harness.pass(minutes(16));
    expect(spans(harness)).toEqual([[0, null, null]]);
    harness.pass(minutes(1));
    expect(spans(harness)).toEqual([[0, 20, "done"]]);
    const wet = at(24, automatic(25, 30));
    wet.moisture = 30;
    wet.pass(minutes(1));
    expect(wet.runs[0]?.reason).toBe("upper-bound");
  });

  test("[AUTO-1] without moisture it neither opens nor stays open", () => {
    const harness = at(null, automatic(25, 30));
    harness.pass(minutes(60));
    expect(harness.runs).toEqual([]);
    harness.moisture = 20;
    harness.pass(minutes(1));
    harness.moisture = null;
    harness.pass(minutes(1));
    expect(harness.runs[0]?.reason).toBe("no-moisture");
  });

  test.each([
    [20, 40],
    [4, 14],
  ])("[AUTO-5] after a run of %i minutes it pauses as long, and at least ten", (duration, next) => {
    const harness = at(20, automatic(25, null, duration));
    harness.pass(minutes(next) - 1);
    expect(harness.runs).toHaveLength(1);
    harness.pass(1);
    expect(harness.runs).toHaveLength(2);
  });

  test("[AUTO-5] pauses after a manual close too", () => {
    const harness = at(20, automatic(25, null, 4));
    harness.pass(minutes(1));
    harness.closeByHand();
    harness.pass(minutes(10) - 1);
    expect(spans(harness)).toEqual([[0, 1, "hand"]]);
    harness.pass(1);
    expect(harness.runs).toHaveLength(2);
  });
});

describe("reservation", () => {
  test("[reservation] waters at its minute each day, but not in the minute in which it was set", () => {
    const harness = at(null, reservation("12:00", 10), NOON + 1);
    harness.pass(minutes(60));
    expect(harness.runs).toEqual([]);
    harness.pass(minutes(48 * 60));
    expect(harness.runs.map(({ wallStart }) => (wallStart - NOON) / minutes(1_440))).toEqual([1, 2]);
    expect(harness.runs.map(({ from, closed }) => (closed ?? 0) - from)).toEqual([minutes(10), minutes(10)]);
  });

  test("[AUTO-7] a reservation without repeat waters once, and then its flag is cleared", () => {
    const harness = at(null, reservation("12:30", 10, false));
    harness.pass(minutes(35));
    expect(harness.cleared).toEqual([]);
    harness.pass(minutes(48 * 60));
    expect([harness.runs.length, harness.cleared]).toEqual([1, ["reservation"]]);
  });

  test("[AUTO-7] a manual close clears the flag of a reservation without repeat", () => {
    const harness = at(null, reservation("12:30", 10, false));
    harness.pass(minutes(31));
    harness.closeByHand();
    expect(harness.cleared).toEqual(["reservation"]);
  });

  test("[reservation] a wall clock that skips the minute opens nothing late, and one set back opens nothing twice", () => {
    const harness = at(null, reservation("12:30", 10));
    harness.jump(minutes(31));
    harness.pass(minutes(5));
    expect(harness.runs).toEqual([]);
    harness.jump(-minutes(10));
    harness.pass(minutes(20));
    expect(harness.runs).toHaveLength(1);
    harness.jump(-minutes(20));
    harness.pass(minutes(40));
    expect(harness.runs).toHaveLength(1);
  });

  test("[reservation] a wall clock corrected by years waters at the next occurrence", () => {
    const harness = at(null, reservation("12:30", 10), NOON + minutes(1_440 * 4_000));
    harness.jump(-minutes(1_440 * 4_000));
    harness.pass(minutes(31));
    expect(harness.runs).toHaveLength(1);
  });

  test("[reservation] waters again when it is changed to a later time of the same day", () => {
    const harness = at(null, reservation("12:10", 5));
    harness.pass(minutes(20));
    harness.set(reservation("12:40", 5));
    harness.pass(minutes(30));
    expect(spans(harness)).toEqual([
      [10, 15, "done"],
      [40, 45, "done"],
    ]);
  });
});

describe("period", () => {
  test("[AUTO-6] counts from start to start, the first one interval after its activation", () => {
    const harness = at(null, period(60, 10));
    harness.pass(minutes(190));
    expect(spans(harness)).toEqual([
      [60, 70, "done"],
      [120, 130, "done"],
      [180, 190, "done"],
    ]);
  });

  test("[RUN-1] an interval may be longer than a day: every second day", () => {
    const harness = at(null, period(2_880, 10));
    harness.pass(minutes(6_000));
    expect(spans(harness)).toEqual([
      [2_880, 2_890, "done"],
      [5_760, 5_770, "done"],
    ]);
  });

  test("[AUTO-7] a period without repeat waters once, and then its flag is cleared", () => {
    const harness = at(null, period(60, 10, false));
    harness.pass(minutes(300));
    expect([spans(harness), harness.cleared]).toEqual([[[60, 70, "done"]], ["period"]]);
  });

  test("[period] a jump of the wall clock changes nothing", () => {
    const harness = at(null, period(60, 10));
    harness.jump(minutes(600));
    harness.pass(minutes(30));
    harness.jump(-minutes(6_000));
    harness.pass(minutes(45));
    expect(spans(harness)).toEqual([[60, 70, "done"]]);
  });

  test("[period] skips starts missed while away, and keeps its rhythm", () => {
    const harness = at(null, period(60, 10));
    harness.pass(minutes(5));
    harness.restart(minutes(130));
    harness.pass(minutes(50));
    expect(spans(harness)).toEqual([[180, null, null]]);
  });
});

describe("a restart", () => {
  test("[restart] during a run continues to the same end, without opening again", () => {
    const harness = at(20, automatic(25, null, 20));
    harness.pass(minutes(5));
    harness.restart(minutes(2));
    harness.pass(minutes(14));
    expect(spans(harness)).toEqual([[0, 20, "done"]]);
  });

  test("[restart] after the end of a run closes it and pauses", () => {
    const harness = at(20, automatic(25, null, 20));
    harness.pass(minutes(5));
    harness.restart(minutes(100));
    harness.pass(minutes(19));
    expect(spans(harness)).toEqual([[0, 20, "valve"]]);
    harness.pass(minutes(2));
    expect(harness.runs).toHaveLength(2);
  });

  test("[restart] within the minute of a reservation does not water for it twice", () => {
    const harness = at(null, reservation("12:30", 1));
    harness.pass(minutes(30) + 5_000);
    harness.closeByHand();
    harness.restart(10_000);
    harness.pass(minutes(30));
    expect(harness.runs).toHaveLength(1);
  });

  test("[W-14] a run that seems to begin in the future lasts on, for its whole length at most", () => {
    const harness = at(20, automatic(25, null, 20));
    harness.pass(minutes(5));
    harness.jump(-minutes(60));
    harness.restart(minutes(1));
    expect(spans(harness)).toEqual([[0, null, null]]);
    harness.pass(minutes(20));
    expect(spans(harness)).toEqual([[0, 26, "done"]]);
  });
});

describe("the active mode", () => {
  test("[engine] a deactivated mode closes what it opened", () => {
    const harness = at(20, automatic(25, null, 20));
    harness.pass(minutes(5));
    harness.set({ active: "none" });
    expect(spans(harness)).toEqual([[0, 5, "not-in-charge"]]);
  });

  test("[engine] repeated settings change nothing; saved again they start over", () => {
    const harness = at(null, period(60, 10));
    harness.pass(minutes(50));
    harness.set({ ...period(60, 10), revision: 1 });
    harness.pass(minutes(20));
    expect(harness.runs).toHaveLength(1);
    harness.set(period(60, 10));
    harness.pass(minutes(59));
    expect(harness.runs).toHaveLength(1);
  });

  test.each([
    ["setting", { active: "automatic" as const }],
    ["bounds", automatic(null, null)],
    ["bounds", automatic(30, 30)],
    ["duration", automatic(30, null, 0)],
    ["duration", automatic(30, null, 1_441)],
    ["sensor", { ...automatic(30, null), hasMoisture: false }],
    [
      "time",
      { active: "reservation" as const, reservation: { onTime: null, wateringDuration: 5, repeat: true } },
    ],
    ["time", reservation("06:00", 5, true, "Farm/Field")],
    [
      "interval",
      { active: "period" as const, period: { wateringInterval: null, wateringDuration: 5, repeat: true } },
    ],
    ["interval", period(10, 10)],
    ["interval", period(43_201, 10)],
  ])("[AUTO-8] what lacks its %s is incomplete and never runs", (missing, settings) => {
    expect(missingOf({ ...NO_SETTINGS, hasMoisture: true, ...settings })).toBe(missing);
    const harness = at(1, settings);
    harness.pass(minutes(26 * 60));
    expect(harness.runs).toEqual([]);
  });
});

test("[W-14] a run lasts on after a restart whose clock was set back, at most as long as it was to last", () => {
  const begun = { now: NOON, monotonic: 5_000 };
  const run = { mode: "period" as const, startedAt: begun, endsAt: later(begun, minutes(4)) };
  const state = { ...newState(begun), run };
  const set = { now: NOON - minutes(60), monotonic: 100 };
  expect(restored(state, set).run?.endsAt).toEqual(later(set, minutes(4)));
  const restarted = { now: NOON + minutes(1), monotonic: 100 };
  expect(restored(state, restarted).run?.endsAt).toEqual(later(restarted, minutes(3)));
  const late = { now: NOON + minutes(9), monotonic: 100 };
  expect(restored(state, late).run?.endsAt).toEqual(late);
});
