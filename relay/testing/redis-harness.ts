import { randomUUID } from "node:crypto";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createRedisStore } from "../src/store/redis/redis-store.ts";
import { SHARDS } from "../src/store/shard.ts";
import type { Store } from "../src/store/store.ts";
import { until } from "./until.ts";

/** The machine's clock, which a test can advance: a store on a real Redis needs real time to pass. */
export interface MovableClock extends FakeClock {
  /** ms by which it is ahead of the machine's, without jumps. */
  readonly moved: number;
}

/** @param ahead ms by which its wall clock begins ahead of the machine's */
export function createMovableClock(ahead = 0): MovableClock {
  let steady = 0;
  let wall = ahead;
  return {
    now: () => Date.now() + wall,
    monotonic: () => performance.now() + steady,
    get moved() {
      return ahead + steady;
    },
    advance(ms) {
      steady += ms;
      wall += ms;
    },
    jump(ms) {
      wall += ms;
    },
  };
}

/** A node: one store on a Redis, with its reported errors. */
export interface RedisNode {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly errors: unknown[];
}

/**
 * Start a node.
 * @param prefix of the keys; nodes of one installation share it
 */
export function startNode(url: string, prefix: string, clock = createMovableClock()): RedisNode {
  const errors: unknown[] = [];
  const store = createRedisStore(
    {
      url,
      prefix,
      nodeId: randomUUID(),
      clock,
      timers: nodeTimers,
      newEpoch: randomUUID,
      onError: (error) => errors.push(error),
      onOutage: (reason) => errors.push(reason),
    },
    (time) => time + clock.moved,
  );
  return { store, clock, errors };
}

/** Return a prefix of keys that no other test uses. */
export const newPrefix = (): string => `test-${randomUUID()}:`;

/** Wait until these nodes share all shards evenly. */
export async function shareShards(...nodes: readonly RedisNode[]): Promise<void> {
  const share = Math.ceil(SHARDS / nodes.length);
  await until(
    () =>
      nodes.every(({ store: { shards } }) => shards.nodes() === nodes.length && shards.owned() <= share) &&
      nodes.reduce((sum, { store }) => sum + store.shards.owned(), 0) === SHARDS,
  );
}
