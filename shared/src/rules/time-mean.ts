import { distancesOf } from "./chart-gaps.ts";

/** A field's readings in one bucket of a regular grid. */
interface Gathered {
  /** Place of the bucket on its grid. */
  readonly index: number;
  readonly mean: number;
  /** Population variance of the readings in the bucket. */
  readonly variance: number;
}

/**
 * Return mean and variance of a range by time, not by readings: a device that sends more often has no more
 * weight. A bucket weighs its length and that of the empty ones after it, in which its value still holds.
 * Before a silence the value holds for the usual time between two readings.
 *
 * @param buckets those with readings, in order
 * @returns null without buckets
 */
export function timeStatistics(buckets: readonly Gathered[]): { mean: number; variance: number } | null {
  const [first] = buckets;
  if (!first) return null;
  const weights = distancesOf(buckets.map(({ index }) => index)).map(({ distance, usual, isSilence }) =>
    isSilence ? Math.max(1, usual) : distance,
  );
  let [whole, moved] = [0, 0];
  for (const [place, { mean }] of buckets.entries()) {
    const weight = weights[place] ?? 0;
    whole += weight;
    // Distances from one value, because sums of large ones lose their digits.
    moved += weight * (mean - first.mean);
  }
  const mean = first.mean + moved / whole;
  let spread = 0;
  for (const [place, bucket] of buckets.entries()) {
    spread += (weights[place] ?? 0) * (bucket.variance + (bucket.mean - mean) ** 2);
  }
  return { mean, variance: spread / whole };
}
