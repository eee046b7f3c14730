import { DAY_MS, dayFrom, dayOf, hourFrom, hourOf, type Level } from "./levels.ts";

/** A part of one bucket that is read at one level; `to` is exclusive. Times are ms since 1970 UTC. */
export interface BucketRange {
  /** Index from the first bucket of the query. */
  readonly bucket: number;
  readonly from: number;
  readonly to: number;
}

export type BucketRanges = Readonly<Record<Level, readonly BucketRange[]>>;

/** Regular buckets: each `step` long and counted from `from`; the last one ends with the range. */
export interface Grid {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Available data of a sensor: nothing is read outside of `from` and `to`. */
export interface Known {
  readonly from: number;
  readonly to: number;
  /** Start of a day; earlier rows are deleted. */
  readonly rawFrom: number;
  /** Start of an hour; from it on there are only rows. */
  readonly closedUntil: number;
}

/**
 * Split each bucket into whole days, the whole hours beside them, and the rows at its ends. Together they are
 * exactly the bucket, whatever its start. Where rows are deleted, an hour belongs entirely to the bucket of
 * its start.
 */
export function rangesOf(grid: Grid, known: Known): BucketRanges {
  const { rawFrom, closedUntil } = known;
  const ranges = { raw: [] as BucketRange[], hour: [] as BucketRange[], day: [] as BucketRange[] };
  const add = (level: Level, bucket: number, from: number, to: number): void => {
    if (from < to) ranges[level].push({ bucket, from, to });
  };
  const addHours = (bucket: number, from: number, to: number): void => {
    const firstDay = dayFrom(from);
    const lastDay = dayOf(to);
    if (firstDay >= lastDay) {
      add("hour", bucket, from, to);
      return;
    }
    add("hour", bucket, from, firstDay);
    add("day", bucket, firstDay, lastDay);
    add("hour", bucket, lastDay, to);
  };
  const addRows = (bucket: number, from: number, to: number): void => {
    for (let at = from; at < to; at += DAY_MS) add("raw", bucket, at, Math.min(to, at + DAY_MS));
  };
  const addExact = (bucket: number, from: number, to: number): void => {
    const firstHour = hourFrom(from);
    const lastHour = Math.min(hourOf(to), closedUntil);
    if (firstHour >= lastHour) {
      addRows(bucket, from, to);
      return;
    }
    addRows(bucket, from, firstHour);
    addHours(bucket, firstHour, lastHour);
    addRows(bucket, lastHour, to);
  };

  const start = Math.max(grid.from, known.from);
  const end = Math.min(grid.to, known.to);
  for (let at = start; at < end; ) {
    const bucket = Math.floor((at - grid.from) / grid.step);
    const to = Math.min(end, grid.from + (bucket + 1) * grid.step);
    addHours(bucket, hourFrom(at), hourFrom(Math.min(to, rawFrom)));
    addExact(bucket, Math.max(at, rawFrom), to);
    at = to;
  }
  return ranges;
}
