import type { BucketGrid } from "../core/bucket-grid.ts";
import { KEPT_MS, SLICE_LADDER } from "./limits.ts";
import type { Span } from "./log-source.ts";

/** Length of the slices in which a range of so many ms is read. */
function sliceLength(rangeMs: number): number {
  for (const { rangeMs: most, sliceMs } of SLICE_LADDER) if (rangeMs <= most) return sliceMs;
  return SLICE_LADDER[SLICE_LADDER.length - 1]?.sliceMs ?? rangeMs;
}

const sliceAt = (instant: number, sliceMs: number): Span => {
  const from = Math.floor(instant / sliceMs) * sliceMs;
  return { from, to: from + sliceMs };
};

/**
 * The slices of a grid's range, newest first, as whoever looks at a range looks at its end. Each begins at a whole
 * multiple of its length since 1970 UTC, so that questions share them. Nothing lies in what is yet to come.
 */
export function slicesOf({ start, step, count }: BucketGrid, now: number): Span[] {
  const length = step * count;
  const sliceMs = sliceLength(length);
  const end = Math.min(start + length, now + KEPT_MS.isOpen);
  const slices: Span[] = [];
  for (let slice = sliceAt(start, sliceMs); slice.from < end; slice = sliceAt(slice.to, sliceMs)) {
    slices.push(slice);
  }
  return slices.reverse();
}

/** The slices, of every length, to which a row of that moment belongs. */
export function slicesAround(instant: number): Span[] {
  return SLICE_LADDER.map(({ sliceMs }) => sliceAt(instant, sliceMs));
}

/** ms for which a slice's rows are kept, read at `now`. */
export function keptFor({ to }: Span, now: number): number {
  if (to > now - KEPT_MS.isOpen) return KEPT_MS.open;
  return to > now - KEPT_MS.isRecent ? KEPT_MS.recent : KEPT_MS.closed;
}

/** Spans joined where they touch, oldest first. */
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
