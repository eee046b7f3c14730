import { expect, test } from "vitest";
import { inChunks, nextChunk } from "./chunks.ts";

test("[log] slow statements cover less, fast ones more, within limits", () => {
  expect(nextChunk(100, 61)).toBe(50);
  expect(nextChunk(100, 45)).toBe(100);
  expect(nextChunk(100, 29)).toBe(200);
  expect(nextChunk(1, 900)).toBe(1);
  expect(nextChunk(4_000, 1)).toBe(4_000);
});

test("[log] reads everything once and in order, in chunks of a similar size, singly for oversized items", async () => {
  let now = 0;
  const clock = { monotonic: () => now };
  const chunks: number[][] = [];
  const works = [200, 40, 20, 999, 999, 100, 100, 100, 100];
  const read = async (chunk: readonly number[]): Promise<readonly number[]> => {
    chunks.push([...chunk]);
    now += 45;
    return chunk;
  };
  expect(await inChunks(clock, works, (work) => work, read)).toEqual(works);
  expect(chunks).toEqual([[200, 40], [20], [999], [999], [100, 100], [100, 100]]);
  expect(await inChunks(clock, [], () => 1, read)).toEqual([]);
});
