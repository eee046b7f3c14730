import { expect, it } from "vitest";
import { zoomed } from "./chart-gestures.ts";

it("[chart] zooms around the pointer's place, which stays where it is", () => {
  expect(zoomed({ from: 0, to: 100 }, 25, -0.2)).toEqual({ from: 5, to: 85 });
  expect(zoomed({ from: 5, to: 85 }, 25, 0.25)).toEqual({ from: 0, to: 100 });
});

it("[chart] keeps three buckets in view", () => {
  const { from, to } = zoomed({ from: 10, to: 13 }, 11, -0.2);
  expect(to - from).toBe(3);
});
