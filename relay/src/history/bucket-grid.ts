import { BUCKET_STEPS, DAY } from "@mulkko/shared/rules/bucket-steps";

const SECOND = 1_000;

/** Bucket i covers [start + i·step, start + (i+1)·step). Times are ms UTC, `step` ms. */
export interface BucketGrid {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

function gridOf(from: number, to: number, step: number): BucketGrid {
  const start = Math.floor(from / step) * step;
  return { start, step, count: Math.max(1, Math.ceil((to - start) / step)) };
}

/**
 * Return the grid of a range: at most `buckets` buckets, each aligned to a multiple of its length since 1970
 * UTC. A request that is already aligned keeps its own buckets; any other gets the finest fitting step.
 */
export function bucketGrid(from: number, to: number, buckets: number): BucketGrid {
  const asked = (to - from) / buckets;
  if (asked >= SECOND && asked % SECOND === 0 && from % asked === 0) return gridOf(from, to, asked);
  for (const step of BUCKET_STEPS) {
    const grid = gridOf(from, to, step);
    if (grid.count <= buckets) return grid;
  }
  let days = Math.max(1, Math.floor((to - from) / buckets / DAY));
  while (gridOf(from, to, days * DAY).count > buckets && days * DAY < to) days += 1;
  const grid = gridOf(from, to, days * DAY);
  // When no multiple of a day covers the range, one bucket starts at the start of the range.
  return grid.count <= buckets
    ? grid
    : { start: from, step: Math.ceil((to - from) / buckets), count: buckets };
}
