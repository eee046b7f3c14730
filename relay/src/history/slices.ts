import type { HistorySeries } from "@mulkko/shared/rest/history";
import { cotLog, logRange } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { BUCKET_STEPS, DAY } from "@mulkko/shared/rules/bucket-steps";
import { wallRange } from "@mulkko/shared/rules/zoneless-time";
import { CACHE_MS, SLICE_LADDER } from "./limits.ts";

/** The log to read: a sensor's, or that of one channel (by its number) of a COT sensor or a controller. */
export interface LogSource {
  readonly id: string;
  readonly channel?: number;
}

export const sourceKey = ({ id, channel }: LogSource): string => JSON.stringify([id, channel ?? null]);

/** A half-open range. Times are ms UTC; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Return the path of a span's raw rows, in whole minutes of the API's local time around it. */
export function rawPath({ id, channel }: LogSource, span: Span, zone: ApiTimeZone): string {
  const { start, end } = wallRange(span.from, span.to, zone);
  return channel === undefined
    ? pathTo(logRange, { id, start, end })
    : pathTo(cotLog, { id, channel, start, end });
}

/** Return the slice length for a range of so many ms. */
function sliceLength(rangeMs: number): number {
  for (const { rangeMs: most, sliceMs } of SLICE_LADDER) if (rangeMs <= most) return sliceMs;
  return SLICE_LADDER[SLICE_LADDER.length - 1]?.sliceMs ?? rangeMs;
}

const sliceAt = (instant: number, sliceMs: number): Span => {
  const from = Math.floor(instant / sliceMs) * sliceMs;
  return { from, to: from + sliceMs };
};

/**
 * Return the slices of a grid's range, newest first, because users look at the end of a range. Each begins
 * at a whole multiple of its length since 1970 UTC, so queries share them. The future is excluded.
 */
export function slicesOf({ start, step, count }: BucketGrid, now: number): Span[] {
  const length = step * count;
  const sliceMs = sliceLength(length);
  const end = Math.min(start + length, now + CACHE_MS.isOpen);
  const slices: Span[] = [];
  for (let slice = sliceAt(start, sliceMs); slice.from < end; slice = sliceAt(slice.to, sliceMs)) {
    slices.push(slice);
  }
  return slices.reverse();
}

/** Return the slices, of every length, that contain a time. */
export function slicesAround(instant: number): Span[] {
  return SLICE_LADDER.map(({ sliceMs }) => sliceAt(instant, sliceMs));
}

/** Return the cache lifetime of a slice's rows read at `now`, ms. */
export function cacheMs({ to }: Span, now: number): number {
  if (to > now - CACHE_MS.isOpen) return CACHE_MS.open;
  return to > now - CACHE_MS.isRecent ? CACHE_MS.recent : CACHE_MS.closed;
}

/** Join adjacent spans, oldest first. */
export function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last && span.from <= last.to)
      whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else whole.push(span);
  }
  return whole;
}

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

/** Return a series without values, on the grid of the query. */
export function namedSeries({ id, channel }: LogSource): Pick<HistorySeries, "sensorId" | "channel"> {
  return { sensorId: id, ...(channel !== undefined && { channel }) };
}
