import type { Bucket } from "../../chart/bucket.ts";
import { bridge } from "./bridge.ts";
import type { LineBuckets } from "./log-data.ts";

/** Prefix of fields that hold their value: a valve has no states between open and closed. */
const HOLDS = "valve ";

/** Apply {@link bridge} with the last value in place of an interpolation. */
function hold(buckets: readonly Bucket[]): readonly Bucket[] {
  let last: number | null = null;
  return bridge(buckets).map((bucket, index) => {
    const measured = buckets[index];
    if (bucket.count === 0 || last === null || measured === undefined || measured.count > 0) {
      last = bucket.last;
      return bucket;
    }
    return { t: bucket.t, count: 1, min: last, max: last, avg: last, last };
  });
}

/** Apply {@link bridge} to each line, as its field requires. */
export function bridgeLines(buckets: LineBuckets): LineBuckets {
  return Object.fromEntries(
    Object.entries(buckets).map(([line, list]) => [line, line.startsWith(HOLDS) ? hold(list) : bridge(list)]),
  );
}
