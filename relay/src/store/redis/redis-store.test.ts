import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import {
  createMovableClock,
  newPrefix,
  type RedisNode,
  shareShards,
  startNode,
} from "../../../testing/redis-harness.ts";
import { describeStore } from "../contract.suite.ts";
import type { StoreHarness } from "../durable.suite.ts";

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let nodes: RedisNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.map(({ store }) => store.close()));
  nodes = [];
});

async function openHarness(): Promise<StoreHarness> {
  const prefix = newPrefix();
  const clock = createMovableClock();
  const start = async (): Promise<RedisNode> => {
    const one = startNode(redis.url, prefix, clock);
    await shareShards(one);
    return one;
  };
  let node = await start();
  return {
    clock,
    get store() {
      return node.store;
    },
    async restart() {
      await node.store.close();
      node = await start();
    },
    async close() {
      await node.store.close();
      expect(node.errors).toEqual([]);
    },
  };
}

describe("the contract of stores", () => describeStore(openHarness));
