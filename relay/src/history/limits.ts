const DAY_MS = 86_400_000;

/** What one call may ask for, and all calls together may ask of the farm API. */
export const HISTORY_LIMITS = {
  ids: 100,
  fields: 50,
  rangeMs: 1_100 * DAY_MS,
  /** Part of a range that one request for raw rows covers, and how many such parts a call may have for all ids. */
  sliceMs: 2 * DAY_MS,
  slices: 1_000,
  /** Requests under way for all callers, and how many may wait. */
  inFlight: 8,
  waiting: 2_000,
  answerBytes: 16 * 1024 * 1024,
} as const;
