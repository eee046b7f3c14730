import { randomUUID } from "node:crypto";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Timers } from "../ports/timers.ts";
import { createEmbeddedStore } from "./embedded/embedded-store.ts";
import { createRedisStore } from "./redis/redis-store.ts";
import type { Store } from "./store.ts";

export interface OpenStoreParts {
  /** `redis://` or `rediss://`; undefined: the embedded store. */
  readonly redisUrl: string | undefined;
  /** Of every key in Redis. */
  readonly redisPrefix: string;
  /** The embedded store's SQLite file. */
  readonly file: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/** The store that the configuration asks for (NODE-4). */
export function openStore({ redisUrl, redisPrefix, file, ...parts }: OpenStoreParts): Store {
  const { clock, timers, onError } = parts;
  if (redisUrl === undefined) {
    return createEmbeddedStore({ file, clock, timers, newEpoch: randomUUID, onError });
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
