const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024 * 1024;

/** What one call may ask for, and all calls together may ask of the farm API. */
export const HISTORY_LIMITS = {
  /** Sensors and channels of one call. */
  ids: 100,
  channelNumber: 8,
  fields: 50,
  /** Everything a farm has: charts offer the range since the first reading. */
  rangeMs: 7_400 * DAY_MS,
  /** Requests for raw rows that one call may need, and how many of them are under way for it at once. */
  slices: 1_000,
  atOnce: 3,
  /** ms after which a call answers with what it has read so far; what it lacks is named. */
  budgetMs: 20_000,
  /** Requests under way for all callers, and how many may wait. */
  inFlight: 6,
  waiting: 2_000,
  /** Bytes of one answer. A range whose rows are more is asked for in halves, down to so many ms. */
  answerBytes: 8 * MIB,
  leastSliceMs: 15 * MINUTE_MS,
  /** Bytes of rows kept for all accounts; beyond it those that were not used for longest go. */
  cacheBytes: 64 * MIB,
  /** ms after which the API is asked again whether the caller may see what is kept for it. */
  accessMs: 5 * MINUTE_MS,
} as const;

/** Parts of a range that one request covers, by the range's length: short ranges are not made to wait for days. */
export const SLICE_LADDER = [
  { rangeMs: 6 * HOUR_MS, sliceMs: 3 * HOUR_MS },
  { rangeMs: 8 * DAY_MS, sliceMs: DAY_MS },
  { rangeMs: 400 * DAY_MS, sliceMs: 2 * DAY_MS },
  { rangeMs: Number.POSITIVE_INFINITY, sliceMs: 16 * DAY_MS },
] as const;

/** For how long rows are kept, ms, by how long ago their slice ended. */
export const KEPT_MS = {
  /** Rows still come in. */
  open: 10_000,
  /** Late readings may still come in where nobody hears them. */
  recent: 2 * MINUTE_MS,
  closed: DAY_MS,
  /** A slice is recent for so long after its end, and open for so long. */
  isRecent: 6 * HOUR_MS,
  isOpen: 5 * MINUTE_MS,
} as const;
