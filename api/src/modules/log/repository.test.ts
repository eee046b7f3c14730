import { expect, test } from "vitest";
import { nextSlice } from "./repository.ts";

const MINUTE = 60_000;

test("[log] statements that take long cover less, quick ones more, within limits", () => {
  expect(nextSlice(100 * MINUTE, 41)).toBe(50 * MINUTE);
  expect(nextSlice(100 * MINUTE, 30)).toBe(100 * MINUTE);
  expect(nextSlice(100 * MINUTE, 14)).toBe(200 * MINUTE);
  expect(nextSlice(10 * MINUTE, 900)).toBe(10 * MINUTE);
  expect(nextSlice(64 * 1_440 * MINUTE, 1)).toBe(64 * 1_440 * MINUTE);
});
