import { expect, test } from "vitest";
import { inChunks, nextChunk } from "./buckets.ts";

test("[log] slow statements cover less, fast ones more, within limits", () => {
  expect(nextChunk(100, 61)).toBe(50);
  expect(nextChunk(100, 45)).toBe(100);
  expect(nextChunk(100, 29)).toBe(200);
  expect(nextChunk(1, 900)).toBe(1);
  expect(nextChunk(4_000, 1)).toBe(4_000);
});

test("[log] reads everything once and in order, in chunks whose size follows their duration", async () => {
  let now = 0;
  const clock = { monotonic: () => now };
  const chunks: number[] = [];
  const all = Array.from({ length: 1_000 }, (_, index) => index);
  const read = async (chunk: readonly number[]): Promise<readonly number[]> => {
    chunks.push(chunk.length);
    now += 100;
    return chunk;
  };
  expect(await inChunks(clock, all, read)).toEqual(all);
  expect(chunks.slice(0, 4)).toEqual([500, 250, 125, 62]);
  expect(await inChunks(clock, [], read)).toEqual([]);
});
