import { expect, test } from "vitest";
import { nextChunk } from "./buckets.ts";

test("[log] statements that take long cover less, quick ones more, within limits", () => {
  expect(nextChunk(100, 61)).toBe(50);
  expect(nextChunk(100, 45)).toBe(100);
  expect(nextChunk(100, 29)).toBe(200);
  expect(nextChunk(1, 900)).toBe(1);
  expect(nextChunk(4_000, 1)).toBe(4_000);
});
