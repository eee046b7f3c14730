import { expect, test } from "vitest";
import { createArrivalTimes } from "./arrival-times.ts";

test("[ingest] spreads readings of one sensor that arrive in one millisecond, in order, independent of other sensors", () => {
  const times = createArrivalTimes();
  expect([1, 2, 3].map(() => times.next("a", 1_000, undefined))).toEqual([1_000, 1_001, 1_002]);
  expect(times.next("b", 1_000, undefined)).toBe(1_000);
  expect(times.next("a", 1_001, undefined)).toBe(1_003);
  expect(times.next("a", 2_000, undefined)).toBe(2_000);
});

test("[ingest] does not reuse the time of a reading that carried its own", () => {
  const times = createArrivalTimes();
  expect(times.next("a", 1_000, 1_000)).toBe(1_001);
  expect(times.next("a", 1_000, 1_002)).toBe(1_003);
});

test("[ingest] a clock set back delays no sensor; a minute of used milliseconds does", () => {
  const times = createArrivalTimes();
  times.next("a", 10_000_000, undefined);
  expect(times.next("a", 1_000_000, undefined)).toBe(1_000_000);
  times.next("b", 10_000_000, undefined);
  expect(times.next("b", 9_910_000, undefined)).toBe(9_910_000);
  for (let n = 1; n <= 60_000; n += 1) times.next("a", 1_000_000, undefined);
  expect(() => times.next("a", 1_000_000, undefined)).toThrow(RangeError);
  expect(times.next("a", 1_000_001, undefined)).toBe(1_060_001);
});
