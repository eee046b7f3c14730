const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** ms */
export const DAY = 24 * HOUR;

/**
 * Lengths of a chart's buckets, ms, shortest first. Lengths up to a day divide it, so that two ranges share
 * their buckets; longer ones are whole days.
 */
export const BUCKET_STEPS: readonly number[] = [
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  3 * DAY,
  4 * DAY,
  7 * DAY,
];
