import { MAX_BUCKETS } from "@mulkko/shared/rest/log";
import { BUCKET_STEPS, DAY } from "@mulkko/shared/rules/bucket-steps";
import type { Span } from "../range/range.ts";

/** Regular grid over a range; `from` and `to` are multiples of the step. All ms. */
export interface Grid {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly buckets: number;
}

/**
 * Return the finest grid that a chart can show: at most one bucket per CSS pixel.
 *
 * @param width CSS px
 */
export function gridOf(span: Pick<Span, "from" | "to">, width: number): Grid {
  const most = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(width)) - 2);
  const shortest = (span.to - span.from) / most;
  const step = BUCKET_STEPS.find((each) => each >= shortest) ?? Math.ceil(shortest / DAY) * DAY;
  const from = Math.floor(span.from / step) * step;
  const to = Math.max(from + step, Math.ceil(span.to / step) * step);
  return { from, to, step, buckets: (to - from) / step };
}
