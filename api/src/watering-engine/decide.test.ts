import { describe, expect, test } from "vitest";
import { missingOf, NO_SETTINGS } from "./settings.ts";
import { createRig, minutes, type Rig } from "./testing.ts";

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
const spans = (rig: Rig) =>
  rig.runs.map(({ from, closed, reason }) => [
    from / 60_000,
    closed === null ? null : closed / 60_000,
    reason,
  ]);

/** A rig at a moisture, with settings taken up. */
function at(moisture: number | null, settings: Parameters<Rig["set"]>[0], start = NOON): Rig {
  const rig = createRig(start);
  rig.moisture = moisture;
  rig.set(settings);
  return rig;
}

describe("automatic", () => {
  test("[automatic] with only a lower bound it opens below it and closes after the duration, wet or not", () => {
    const rig = at(25, automatic(25, null));
    rig.pass(minutes(1));
    expect(rig.runs).toEqual([]);
    rig.moisture = 24.9;
    rig.pass(minutes(1));
    rig.moisture = 90;
    rig.pass(minutes(30));
    expect(spans(rig)).toEqual([[1 + 10 / 60, 21 + 10 / 60, "done"]]);
  });

  test("[automatic] with only an upper bound it opens three points below it and closes at it", () => {
    const rig = at(27, automatic(null, 30));
    expect(rig.runs).toEqual([]);
    rig.moisture = 26.9;
    rig.pass(minutes(5));
    rig.moisture = 30;
    rig.pass(minutes(1));
    expect(spans(rig)).toEqual([[10 / 60, 5 + 10 / 60, "upper-bound"]]);
  });

  test("[automatic] with both bounds it opens below the lower and closes at the upper or at the duration", () => {
    const rig = at(24, automatic(25, 30));
    rig.pass(minutes(3));
    rig.moisture = 29.9;
    rig.pass(minutes(16));
    expect(spans(rig)).toEqual([[0, null, null]]);
    rig.pass(minutes(1));
    expect(spans(rig)).toEqual([[0, 20, "done"]]);
    const wet = at(24, automatic(25, 30));
    wet.moisture = 30;
    wet.pass(minutes(1));
    expect(wet.runs[0]?.reason).toBe("upper-bound");
  });

  test("[automatic] without moisture it neither opens nor stays open", () => {
    const rig = at(null, automatic(25, 30));
    rig.pass(minutes(60));
    expect(rig.runs).toEqual([]);
    rig.moisture = 20;
    rig.pass(minutes(1));
    rig.moisture = null;
    rig.pass(minutes(1));
    expect(rig.runs[0]?.reason).toBe("no-moisture");
  });

  test.each([
    [20, 40],
    [4, 14],
  ])("[automatic] after a run of %i minutes it rests as long, and at least ten", (duration, next) => {
    const rig = at(20, automatic(25, null, duration));
    rig.pass(minutes(next) - 1);
    expect(rig.runs).toHaveLength(1);
    rig.pass(1);
    expect(rig.runs).toHaveLength(2);
  });

  test("[automatic] closed by a person it rests too", () => {
    const rig = at(20, automatic(25, null, 4));
    rig.pass(minutes(1));
    rig.closeByHand();
    rig.pass(minutes(10) - 1);
    expect(spans(rig)).toEqual([[0, 1, "hand"]]);
    rig.pass(1);
    expect(rig.runs).toHaveLength(2);
  });
});

describe("reservation", () => {
  test("[reservation] waters at its minute each day, and not for the minute that had begun when it was set", () => {
    const rig = at(null, reservation("12:00", 10), NOON + 1);
    rig.pass(minutes(60));
    expect(rig.runs).toEqual([]);
    rig.pass(minutes(48 * 60));
    expect(rig.runs.map(({ wallStart }) => (wallStart - NOON) / minutes(1_440))).toEqual([1, 2]);
    expect(rig.runs.map(({ from, closed }) => (closed ?? 0) - from)).toEqual([minutes(10), minutes(10)]);
  });

  test("[reservation] without repeat it waters once, and then its flag clears", () => {
    const rig = at(null, reservation("12:30", 10, false));
    rig.pass(minutes(35));
    expect(rig.cleared).toEqual([]);
    rig.pass(minutes(48 * 60));
    expect([rig.runs.length, rig.cleared]).toEqual([1, ["reservation"]]);
  });

  test("[reservation] a run that a person ends clears the flag of a reservation without repeat", () => {
    const rig = at(null, reservation("12:30", 10, false));
    rig.pass(minutes(31));
    rig.closeByHand();
    expect(rig.cleared).toEqual(["reservation"]);
  });

  test("[reservation] a wall clock that jumps over the minute opens nothing late, and back opens nothing twice", () => {
    const rig = at(null, reservation("12:30", 10));
    rig.jump(minutes(31));
    rig.pass(minutes(5));
    expect(rig.runs).toEqual([]);
    rig.jump(-minutes(10));
    rig.pass(minutes(20));
    expect(rig.runs).toHaveLength(1);
    rig.jump(-minutes(20));
    rig.pass(minutes(40));
    expect(rig.runs).toHaveLength(1);
  });

  test("[reservation] a wall clock set right after years waters at the next occurrence", () => {
    const rig = at(null, reservation("12:30", 10), NOON + minutes(1_440 * 4_000));
    rig.jump(-minutes(1_440 * 4_000));
    rig.pass(minutes(31));
    expect(rig.runs).toHaveLength(1);
  });

  test("[reservation] one that is changed to a later time of the same day waters then too", () => {
    const rig = at(null, reservation("12:10", 5));
    rig.pass(minutes(20));
    rig.set(reservation("12:40", 5));
    rig.pass(minutes(30));
    expect(spans(rig)).toEqual([
      [10, 15, "done"],
      [40, 45, "done"],
    ]);
  });
});

describe("period", () => {
  test("[period] counts from start to start, the first one interval after it took charge", () => {
    const rig = at(null, period(60, 10));
    rig.pass(minutes(190));
    expect(spans(rig)).toEqual([
      [60, 70, "done"],
      [120, 130, "done"],
      [180, 190, "done"],
    ]);
  });

  test("[period] without repeat it waters once, and then its flag clears", () => {
    const rig = at(null, period(60, 10, false));
    rig.pass(minutes(300));
    expect([spans(rig), rig.cleared]).toEqual([[[60, 70, "done"]], ["period"]]);
  });

  test("[period] a wall clock that jumps changes nothing", () => {
    const rig = at(null, period(60, 10));
    rig.jump(minutes(600));
    rig.pass(minutes(30));
    rig.jump(-minutes(6_000));
    rig.pass(minutes(45));
    expect(spans(rig)).toEqual([[60, 70, "done"]]);
  });

  test("[period] starts that were missed while away are left out, and the beat stays", () => {
    const rig = at(null, period(60, 10));
    rig.pass(minutes(5));
    rig.restart(minutes(130));
    rig.pass(minutes(50));
    expect(spans(rig)).toEqual([[180, null, null]]);
  });
});

describe("a restart", () => {
  test("[restart] in the middle of a run goes on to the same end, without opening again", () => {
    const rig = at(20, automatic(25, null, 20));
    rig.pass(minutes(5));
    rig.restart(minutes(2));
    rig.pass(minutes(14));
    expect(spans(rig)).toEqual([[0, 20, "done"]]);
  });

  test("[restart] after the end of a run closes it and rests", () => {
    const rig = at(20, automatic(25, null, 20));
    rig.pass(minutes(5));
    rig.restart(minutes(100));
    rig.pass(minutes(19));
    expect(spans(rig)).toEqual([[0, 20, "valve"]]);
    rig.pass(minutes(2));
    expect(rig.runs).toHaveLength(2);
  });

  test("[restart] within the minute of a reservation does not water for it twice", () => {
    const rig = at(null, reservation("12:30", 1));
    rig.pass(minutes(30) + 5_000);
    rig.closeByHand();
    rig.restart(10_000);
    rig.pass(minutes(30));
    expect(rig.runs).toHaveLength(1);
  });

  test("[restart] a run that seems to begin in the future is over", () => {
    const rig = at(20, automatic(25, null, 20));
    rig.pass(minutes(5));
    rig.jump(-minutes(60));
    rig.restart(minutes(1));
    expect(spans(rig)).toEqual([[0, 6, "done"]]);
  });
});

describe("what is in charge", () => {
  test("[engine] a mode that loses its charge closes what it opened", () => {
    const rig = at(20, automatic(25, null, 20));
    rig.pass(minutes(5));
    rig.set({ active: "none" });
    expect(spans(rig)).toEqual([[0, 5, "not-in-charge"]]);
  });

  test("[engine] the same settings heard again change nothing, saved again they begin anew", () => {
    const rig = at(null, period(60, 10));
    rig.pass(minutes(50));
    rig.set({ ...period(60, 10), revision: 1 });
    rig.pass(minutes(20));
    expect(rig.runs).toHaveLength(1);
    rig.set(period(60, 10));
    rig.pass(minutes(59));
    expect(rig.runs).toHaveLength(1);
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
  ])("[engine] what lacks its %s is incomplete and never runs", (missing, settings) => {
    expect(missingOf({ ...NO_SETTINGS, hasMoisture: true, ...settings })).toBe(missing);
    const rig = at(1, settings);
    rig.pass(minutes(26 * 60));
    expect(rig.runs).toEqual([]);
  });
});
