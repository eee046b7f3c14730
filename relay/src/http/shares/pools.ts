import type { PoolSize } from "../../runtime/places.ts";

const WAIT_MS = 5_000;

/**
 * Connections to the farm API by the kind of their calls (SHARE-1). No account waits for callers without one,
 * and no call for a sign-in, which may be slow on purpose.
 */
export const CALL_POOLS = {
  account: { all: 128, each: 32, eachAddress: 64, waitingAll: 1_024, waitingEach: 64, waitMs: WAIT_MS },
  stranger: { all: 64, each: 16, eachAddress: 16, waitingAll: 512, waitingEach: 64, waitMs: WAIT_MS },
  "sign-in": { all: 128, each: 16, eachAddress: 16, waitingAll: 256, waitingEach: 16, waitMs: WAIT_MS },
  image: { all: 64, each: 16, eachAddress: 16, waitingAll: 512, waitingEach: 128, waitMs: WAIT_MS },
} as const satisfies Record<string, PoolSize>;
export type CallPool = keyof typeof CALL_POOLS;

const MIB = 1024 * 1024;

/** Bytes of bodies that are held before they are passed on. A share has room for two photos. */
export const BODY_POOLS = {
  account: {
    all: 96 * MIB,
    each: 12 * MIB,
    eachAddress: 48 * MIB,
    waitingAll: 256,
    waitingEach: 16,
    waitMs: WAIT_MS,
  },
  stranger: {
    all: 8 * MIB,
    each: MIB / 2,
    eachAddress: MIB / 2,
    waitingAll: 256,
    waitingEach: 16,
    waitMs: WAIT_MS,
  },
} as const satisfies Record<string, PoolSize>;

/** Largest body of a caller without an account, bytes. */
export const STRANGER_BODY_BYTES = 64 * 1024;
