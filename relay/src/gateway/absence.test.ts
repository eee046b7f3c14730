import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createMovableClock, newPrefix, shareShards, startNode } from "../../testing/redis-harness.ts";
import { createTestStore } from "../../testing/test-store.ts";
import { shardOf } from "../store/shard.ts";
import { describeAbsence } from "./absence.suite.ts";

describe("absence with the embedded store", () => {
  describeAbsence(async () => {
    const clock = createFakeClock();
    const errors: unknown[] = [];
    const timers = createFakeTimers(clock);
    const store = createTestStore({ clock, timers, onError: (error) => errors.push(error) });
    const close = async (): Promise<void> => {
      await store.close();
      expect(errors).toEqual([]);
    };
    return { clock, stores: [store], accountId: "a1", close };
  });
});

describe("absence with Redis, at a node that copies", () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  describeAbsence(async () => {
    const clock = createMovableClock();
    const prefix = newPrefix();
    const [owner, other] = [startNode(redis.url, prefix, clock), startNode(redis.url, prefix, clock)];
    await shareShards(owner, other);
    let n = 0;
    while (!owner.store.shards.owns(shardOf(`a${n}`))) n += 1;
    const close = async (): Promise<void> => {
      await Promise.all([owner.store.close(), other.store.close()]);
      expect([...owner.errors, ...other.errors]).toEqual([]);
    };
    return { clock, stores: [owner.store, other.store], accountId: `a${n}`, close };
  });
});
