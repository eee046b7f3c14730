import { distancesOf } from "@mulkko/shared/rules/chart-gaps";
import type { Bucket } from "../../chart/bucket.ts";
import type { LineBuckets } from "./log-data.ts";

/** Prefix of fields that hold their value: a valve has no states between open and closed. */
const HOLDS = "valve ";

const between = (a: number | null, b: number | null, share: number): number | null =>
  a === null || b === null ? null : a + (b - a) * share;

/**
 * Interpolate buckets that are shorter than the reporting interval, so that only a real silence interrupts
 * the line. For display only: a bridged bucket contains no reading.
 *
 * @param holds true to repeat the last value in place of an interpolation
 */
export function bridge(buckets: readonly Bucket[], holds = false): readonly Bucket[] {
  const filled = buckets.flatMap(({ count }, index) => (count > 0 ? [index] : []));
  const bridged = [...buckets];
  distancesOf(filled).forEach(({ distance, isSilence }, place) => {
    if (distance === 1 || isSilence) return;
    const start = filled[place] ?? 0;
    const [left, right] = [buckets[start], buckets[start + distance]];
    if (!left || !right) return;
    for (let step = 1; step < distance; step += 1) {
      const { t = 0 } = buckets[start + step] ?? {};
      const { last } = left;
      const share = step / distance;
      bridged[start + step] =
        holds && last !== null
          ? { t, count: 1, min: last, max: last, avg: last, last }
          : {
              t,
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

/** Apply {@link bridge} to each line, as its field requires. */
export function bridgeLines(buckets: LineBuckets): LineBuckets {
  return Object.fromEntries(
    Object.entries(buckets).map(([line, list]) => [line, bridge(list, line.startsWith(HOLDS))]),
  );
}
