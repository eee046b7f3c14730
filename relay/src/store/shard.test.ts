import { expect, test } from "vitest";
import { SHARDS, shardOf } from "./shard.ts";

test("[NODE-5] an account is always in the same shard, in every version", () => {
  expect(["1", "2", "a1", "user-42", "농장"].map(shardOf)).toEqual([131, 69, 39, 186, 135]);
});

test("[NODE-5] accounts spread evenly over the shards, for every form of ids", () => {
  const ids: readonly ((n: number) => string)[] = [
    (n) => String(n),
    (n) => `user-${n}`,
    (n) => n.toString(16).padStart(24, "0"),
  ];
  for (const idOf of ids) {
    const counts = new Array<number>(SHARDS).fill(0);
    for (let n = 0; n < SHARDS * 100; n += 1) {
      const shard = shardOf(idOf(n));
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(40);
    expect(Math.max(...counts)).toBeLessThan(180);
  }
});
