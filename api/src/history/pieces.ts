import { DAY_MS, dayFrom, dayOf, hourFrom, hourOf, type Level } from "./levels.ts";

/** A part of one bucket that is read at one level; `to` is left out. Times are ms since 1970 UTC. */
export interface Piece {
  /** Counted from the first bucket of the question. */
  readonly bucket: number;
  readonly from: number;
  readonly to: number;
}

export type Pieces = Readonly<Record<Level, readonly Piece[]>>;

/** Regular buckets: each `step` long and counted from `from`; the last one ends with the range. */
export interface Grid {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** What there is of a sensor: nothing is read outside of `from` and `to`. */
export interface Known {
  readonly from: number;
  readonly to: number;
  /** The beginning of a day: before it there are no rows any more. */
  readonly rawFrom: number;
  /** The beginning of an hour: from it on there are rows alone. */
  readonly closedUntil: number;
}

/**
 * Cuts each bucket into whole days, the whole hours beside them, and the rows at its ends: what is read together
 * is exactly the bucket, whatever it begins with. Where rows are gone, an hour belongs as a whole to the bucket that
 * it begins in.
 */
export function piecesOf(grid: Grid, known: Known): Pieces {
  const { rawFrom, closedUntil } = known;
  const pieces = { raw: [] as Piece[], hour: [] as Piece[], day: [] as Piece[] };
  const add = (level: Level, bucket: number, from: number, to: number): void => {
    if (from < to) pieces[level].push({ bucket, from, to });
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
  return pieces;
}
