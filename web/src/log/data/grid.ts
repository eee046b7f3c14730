import { MAX_BUCKETS } from "@mulkko/shared/rest/log";
import type { Span } from "../range/range.ts";

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
 * The finest grid that a chart can show: at most one bucket per CSS pixel.
 *
 * @param width CSS px
 */
export function gridOf(span: Pick<Span, "from" | "to">, width: number): Grid {
  const most = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(width)) - 2);
  const shortest = (span.to - span.from) / most;
  const step = STEPS.find((each) => each >= shortest) ?? Math.ceil(shortest / DAY) * DAY;
  const from = Math.floor(span.from / step) * step;
  const to = Math.max(from + step, Math.ceil(span.to / step) * step);
  return { from, to, step, buckets: (to - from) / step };
}
