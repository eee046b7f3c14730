import { MAX_BUCKETS } from "@mulkko/shared/rest/log";
import type { Span } from "./range.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths that a bucket may have, ms: those that divide the clock. */
const STEPS = [
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
] as const;

/** A regular grid over a span; `from` and `to` are whole steps. All ms. */
export interface Grid {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly buckets: number;
}

/**
 * The finest grid that a chart can show: at most one bucket per CSS pixel, and no bucket shorter than the time
 * between two readings, as every second one would be a gap that is none.
 *
 * @param width CSS px
 * @param cadence ms between readings, as far as is known
 */
export function gridOf(span: Pick<Span, "from" | "to">, width: number, cadence: number): Grid {
  const most = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(width)) - 2);
  const shortest = Math.max(cadence, (span.to - span.from) / most);
  const step = STEPS.find((each) => each >= shortest) ?? Math.ceil(shortest / DAY) * DAY;
  const from = Math.floor(span.from / step) * step;
  const to = Math.max(from + step, Math.ceil(span.to / step) * step);
  return { from, to, step, buckets: (to - from) / step };
}

/** Share of the distances between readings that a device's cadence covers; the rest are outages. */
const COVERED = 0.9;

/**
 * The time between readings, ms, as a fine answer shows it: the distance that nine in ten neighbouring filled
 * buckets keep. 0 with fewer than three of them.
 */
export function cadenceOf(count: readonly number[], step: number): number {
  const distances: number[] = [];
  let before: number | null = null;
  count.forEach((each, index) => {
    if (each === 0) return;
    if (before !== null) distances.push(index - before);
    before = index;
  });
  if (distances.length < 2) return 0;
  distances.sort((a, b) => a - b);
  const covered = distances[Math.min(distances.length - 1, Math.floor(distances.length * COVERED))] ?? 1;
  return covered > 1 ? covered * step : 0;
}
