/** A time span that is read at once; `to` is exclusive; ms since 1970 UTC. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Merge spans that touch, or lie so close that reading the gap costs less than another query.
 *
 * @param stretches in order
 * @param gap ms
 */
export function spansOf(stretches: readonly Span[], gap: number): Span[] {
  const spans: { from: number; to: number }[] = [];
  for (const { from, to } of stretches) {
    const last = spans.at(-1);
    if (last && from - last.to <= gap) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}
