import type { HistorySeries } from "@mulkko/shared/rest/history";

/** Aggregate of the measurements in one time range, in stored units. `count` 0 is a real gap. */
export interface Bucket {
  /** Start of the bucket, unix seconds, on a regular grid. */
  readonly t: number;
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly avg: number | null;
  readonly last: number | null;
}

/** Return one field's buckets from a history answer; empty if the answer lacks the field. */
export function bucketsOf(history: HistorySeries, field: string): Bucket[] {
  const numbers = history.fields[field];
  if (!numbers) return [];
  const start = Date.parse(history.start) / 1000;
  const step = history.step / 1000;
  return history.count.map((_, index) => {
    const avg = numbers.avg[index] ?? null;
    return {
      t: start + index * step,
      // A row without this field is not a measurement of it.
      count: avg === null ? 0 : (history.count[index] ?? 0),
      min: numbers.min[index] ?? null,
      max: numbers.max[index] ?? null,
      avg,
      last: numbers.last[index] ?? null,
    };
  });
}

/**
 * Merge newer buckets into older ones; the newer ones win. Missing times between the two become empty
 * buckets: the grid stays regular and silence stays a gap.
 *
 * @param older ascending
 * @param newer ascending, on the same grid
 * @param step seconds between buckets
 */
export function mergeBuckets(older: readonly Bucket[], newer: readonly Bucket[], step: number): Bucket[] {
  const byTime = new Map(older.map((bucket) => [bucket.t, bucket]));
  let end = older.at(-1)?.t;
  for (const bucket of newer) {
    for (let t = end === undefined ? bucket.t : end + step; t < bucket.t; t += step)
      byTime.set(t, emptyBucket(t));
    byTime.set(bucket.t, bucket);
    end = Math.max(end ?? bucket.t, bucket.t);
  }
  return [...byTime.values()].sort((a, b) => a.t - b.t);
}

/** Return the bucket with one more reading. */
export function addToBucket({ t, count, min, max, avg }: Bucket, value: number): Bucket {
  return {
    t,
    count: count + 1,
    min: Math.min(min ?? value, value),
    max: Math.max(max ?? value, value),
    avg: ((avg ?? 0) * count + value) / (count + 1),
    last: value,
  };
}

/** Return a bucket without a measurement. */
export function emptyBucket(t: number): Bucket {
  return { t, count: 0, min: null, max: null, avg: null, last: null };
}
