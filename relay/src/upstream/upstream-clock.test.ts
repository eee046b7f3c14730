import { expect, test } from "vitest";
import { createUpstreamClock } from "./upstream-clock.ts";

const after = (...skews: number[]): number => {
  const upstreamClock = createUpstreamClock();
  for (const skew of skews) upstreamClock.noteSkew(skew);
  return upstreamClock.offsetMs;
};

test("[CMD-1] an offset under two seconds counts as zero, because headers have whole seconds", () => {
  expect(after()).toBe(0);
  expect(after(-900, -1_400, -300)).toBe(0);
  expect(after(1_900)).toBe(0);
});

test("[CMD-1] the largest of the last answers counts, in both directions", () => {
  expect(after(59_200, 59_900, 58_000)).toBe(59_900);
  expect(after(-61_000, -60_100, -60_800)).toBe(-60_100);
});

test("[CMD-1] a changed clock is followed within eight answers", () => {
  expect(after(60_000, ...Array.from({ length: 7 }, () => -500))).toBe(60_000);
  expect(after(60_000, ...Array.from({ length: 8 }, () => -500))).toBe(0);
});
