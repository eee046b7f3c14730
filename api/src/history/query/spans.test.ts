import { expect, test } from "vitest";
import { spansOf } from "./spans.ts";

test("[log] merges spans that touch, overlap or lie close, and no others", () => {
  const of = (...ends: readonly (readonly [number, number])[]) => ends.map(([from, to]) => ({ from, to }));
  expect(spansOf(of([0, 10], [10, 20], [25, 30], [50, 60]), 5)).toEqual(of([0, 30], [50, 60]));
  expect(spansOf(of([0, 48], [24, 30], [40, 72]), 0)).toEqual(of([0, 72]));
  expect(spansOf([], 5)).toEqual([]);
});
