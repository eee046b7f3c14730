import type { Bucket } from "../../ui/chart/bucket.ts";

/** A silence up to this many times the usual distance between two readings is none: the device speaks no faster. */
export const USUAL_TIMES = 2.5;

/** Distances on either side of a silence that say what is usual there. */
const NEIGHBOURS = 5;

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};

const between = (a: number | null, b: number | null, share: number): number | null =>
  a === null || b === null ? null : a + (b - a) * share;

/**
 * Draws the line through buckets that are shorter than the time between two readings, so that only a real silence
 * breaks it. What is usual is judged on either side of each silence, as a device may have spoken slower before. For
 * the eye alone: a bridged bucket holds no reading.
 */
export function bridge(buckets: readonly Bucket[]): readonly Bucket[] {
  const filled: number[] = [];
  buckets.forEach((bucket, index) => {
    if (bucket.count > 0) filled.push(index);
  });
  const distances = filled.slice(1).map((index, place) => index - (filled[place] ?? 0));
  if (distances.every((distance) => distance === 1)) return buckets;

  const bridged = [...buckets];
  distances.forEach((distance, place) => {
    if (distance === 1) return;
    const before = distances.slice(Math.max(0, place - NEIGHBOURS), place);
    const after = distances.slice(place + 1, place + 1 + NEIGHBOURS);
    const usual = Math.max(median(before), median(after));
    if (distance > usual * USUAL_TIMES) return;
    const start = filled[place] ?? 0;
    const [left, right] = [buckets[start], buckets[start + distance]];
    if (!left || !right) return;
    for (let step = 1; step < distance; step += 1) {
      const share = step / distance;
      const standing = buckets[start + step];
      if (!standing) continue;
      bridged[start + step] = {
        t: standing.t,
        count: 1,
        min: between(left.min, right.min, share),
        max: between(left.max, right.max, share),
        avg: between(left.avg, right.avg, share),
        last: null,
      };
    }
  });
  return bridged;
}
