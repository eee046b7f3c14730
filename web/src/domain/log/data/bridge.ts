import { distancesOf } from "@mulkko/shared/rules/chart-gaps";
import type { Bucket } from "../../chart/bucket.ts";

const between = (a: number | null, b: number | null, share: number): number | null =>
  a === null || b === null ? null : a + (b - a) * share;

/**
 * Interpolate buckets that are shorter than the reporting interval, so that only a real silence interrupts
 * the line. For display only: a bridged bucket contains no reading.
 */
export function bridge(buckets: readonly Bucket[]): readonly Bucket[] {
  const filled: number[] = [];
  buckets.forEach((bucket, index) => {
    if (bucket.count > 0) filled.push(index);
  });
  const bridged = [...buckets];
  distancesOf(filled).forEach(({ distance, isSilence }, place) => {
    if (distance === 1 || isSilence) return;
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
