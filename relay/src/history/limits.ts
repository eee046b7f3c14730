import type { PoolSize } from "../runtime/places.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024 * 1024;

/** Limits of one call, and of the requests to the farm API for all calls together. */
export const HISTORY_LIMITS = {
  /** Maximum number of sensors and channels per call. */
  ids: 100,
  channelNumber: 8,
  fields: 50,
  /** The longest history of a farm: charts offer the range since the first reading. */
  rangeMs: 7_400 * DAY_MS,
  /** Maximum requests for raw rows per call, and how many of them run concurrently. */
  slices: 1_000,
  atOnce: 3,
  /** ms after which a call answers with a partial result that names the missing ranges. */
  budgetMs: 20_000,
  /** Size limit of one answer. A larger range is split in halves, down to a minimum length in ms. */
  answerBytes: 8 * MIB,
  leastSliceMs: 15 * MINUTE_MS,
  /** Size limit of cached rows for all accounts; beyond it the least recently used are evicted. */
  cacheBytes: 64 * MIB,
  /** ms after which access to a cached series is verified again with the API. */
  accessMs: 5 * MINUTE_MS,
} as const;

/** Requests to the farm API for all calls, and the share of one account (SHARE-1). */
export const HISTORY_POOL: PoolSize = {
  all: 6,
  each: 4,
  eachAddress: 6,
  waitingAll: 4_000,
  waitingEach: 2_000,
  waitMs: MINUTE_MS,
};

/** Length of one request's range, by the length of the whole range: short ranges need not wait for days. */
export const SLICE_LADDER = [
  { rangeMs: 6 * HOUR_MS, sliceMs: 3 * HOUR_MS },
  { rangeMs: 8 * DAY_MS, sliceMs: DAY_MS },
  { rangeMs: 400 * DAY_MS, sliceMs: 2 * DAY_MS },
  { rangeMs: Number.POSITIVE_INFINITY, sliceMs: 16 * DAY_MS },
] as const;

/** Cache lifetimes of rows, ms, by the age of their slice's end. */
export const CACHE_MS = {
  /** New rows still arrive. */
  open: 10_000,
  /** Late readings may still arrive that the relay does not receive by MQTT. */
  recent: 2 * MINUTE_MS,
  closed: DAY_MS,
  /** Age of its end up to which a slice is recent, and up to which it is open. */
  isRecent: 6 * HOUR_MS,
  isOpen: 5 * MINUTE_MS,
} as const;
