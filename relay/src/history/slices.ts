import type { BucketGrid } from "./bucket-grid.ts";
import { CACHE_MS, SLICE_LADDER } from "./limits.ts";
import type { Span } from "./log-source.ts";

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
