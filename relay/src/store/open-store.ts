import { randomUUID } from "node:crypto";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { Schedule } from "../runtime/schedule.ts";
import { createEmbeddedStore } from "./embedded/embedded-store.ts";
import { createRedisStore } from "./redis/redis-store.ts";
import type { Store } from "./store.ts";

export interface OpenStoreDeps {
  /** `redis://` or `rediss://`; undefined: the embedded store. */
  readonly redisUrl: string | undefined;
  /** Prefix of every key in Redis. */
  readonly redisPrefix: string;
  /** The embedded store's SQLite file. */
  readonly file: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly schedule: Schedule;
  readonly onError: (error: unknown) => void;
}

/** Open the configured store (NODE-4). */
export function openStore({ redisUrl, redisPrefix, file, ...deps }: OpenStoreDeps): Store {
  const { clock, timers, schedule, onError } = deps;
  if (redisUrl === undefined) {
    return createEmbeddedStore({ file, clock, timers, schedule, newEpoch: randomUUID, onError });
  }
  return createRedisStore({
    url: redisUrl,
    prefix: redisPrefix,
    nodeId: randomUUID(),
    clock,
    timers,
    newEpoch: randomUUID,
    onError,
  });
}
