import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../testing/random.ts";
import { timeStatistics } from "./time-mean.ts";

const STEP = 36;
const DAY = 86_400;

interface Reading {
  /** s */
  readonly at: number;
  readonly value: number;
}

/** Return the statistics of readings put into buckets. */
function statisticsOf(readings: readonly Reading[], step = STEP) {
  const buckets = Map.groupBy(readings, ({ at }) => Math.floor(at / step));
  return timeStatistics(
    [...buckets].map(([index, own]) => {
      const mean = own.reduce((sum, { value }) => sum + value, 0) / own.length;
      const variance = own.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / own.length;
      return { index, mean, variance };
    }),
  );
}

const every = (seconds: number, from: number, to: number, valueAt: (at: number) => number): Reading[] =>
  Array.from({ length: Math.ceil((to - from) / seconds) }, (_, index) => {
    const at = from + index * seconds;
    return { at, value: valueAt(at) };
  });

describe("means by time", () => {
  it("[statistics] gives a device that sends more often towards the end no more weight there", () => {
    const change = 0.75 * DAY;
    const readings = [...every(300, 0, change, () => 24), ...every(10, change, DAY, () => 28)];
    const rows = readings.reduce((sum, { value }) => sum + value, 0) / readings.length;
    expect(rows).toBeGreaterThan(27.5);
    for (const step of [10, STEP, 300, 3_600]) {
      expect(statisticsOf(readings, step)?.mean).toBeCloseTo(25, 1);
      expect(statisticsOf(readings, step)?.variance).toBeCloseTo(3, 1);
    }
  });

  it("[statistics] gives each bucket the same weight where every one has readings, and counts its own spread", () => {
    expect(
      timeStatistics([
        { index: 4, mean: 10, variance: 2 },
        { index: 5, mean: 14, variance: 0 },
      ]),
    ).toEqual({ mean: 12, variance: 5 });
  });

  it("[statistics] extends a value before a silence by the usual distance, not through the silence", () => {
    const places = [0, 2, 4, 6, 8, 10, 12, 500, 502, 504];
    const found = timeStatistics(places.map((index) => ({ index, mean: index < 400 ? 7 : 17, variance: 0 })));
    expect(found?.mean).toBeCloseTo(10, 9);
  });

  it("[statistics] gives two readings far apart the same weight", () => {
    const far = [0, 1_000].map((index) => ({ index, mean: index, variance: 0 }));
    expect(timeStatistics(far)?.mean).toBe(500);
  });

  it("[statistics] returns the statistics of one bucket, and none without buckets", () => {
    expect(timeStatistics([{ index: 9, mean: 3, variance: 0.5 }])).toEqual({ mean: 3, variance: 0.5 });
    expect(timeStatistics([])).toBeNull();
  });

  it("[statistics] keeps the small variance of a counter of millions", () => {
    const readings = every(STEP, 0, 5_000 * STEP, (at) => 987_654_321 + ((at / STEP) % 5) / 10);
    expect(statisticsOf(readings)?.variance).toBeCloseTo(0.02, 6);
  });

  it("[statistics] gives the same mean and variance for the same course read more densely, in whole or in part", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -300, max: 500 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: DAY }),
        fc.integer(),
        (middle, swing, times, change, seed) => {
          const random = seededRandom(seed);
          const phase = random() * 7;
          const valueAt = (at: number) => middle + swing * Math.sin(phase + (at / DAY) * 6);
          const sparse = statisticsOf(every(300, 0, DAY, valueAt));
          const turn = Math.floor(change / 300) * 300;
          const partly = statisticsOf([
            ...every(300, 0, turn, valueAt),
            ...every(300 / times, turn, DAY, valueAt),
          ]);
          expect(Math.abs((partly?.mean ?? Number.NaN) - (sparse?.mean ?? 0))).toBeLessThan(swing * 0.02);
          expect(Math.abs((partly?.variance ?? Number.NaN) - (sparse?.variance ?? 0))).toBeLessThan(
            swing ** 2 * 0.02,
          );
        },
      ),
    );
  });
});
