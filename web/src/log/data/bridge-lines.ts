import type { Bucket } from "../../ui/chart/bucket.ts";
import { bridge } from "./bridge.ts";
import type { LineBuckets } from "./log-data.ts";

/** A valve stands as it was until it says otherwise: there is no way from open to closed to draw through. */
const HOLDS = "valve ";

/** {@link bridge} with the last value in place of a straight way to the next. */
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

/** {@link bridge} for each line, as its field asks for. */
export function bridgeLines(buckets: LineBuckets): LineBuckets {
  return Object.fromEntries(
    Object.entries(buckets).map(([line, list]) => [line, line.startsWith(HOLDS) ? hold(list) : bridge(list)]),
  );
}
