import type { Valve } from "./truth.ts";

export const MINUTE = 60_000;

/** A valve with the water behind it. */
export interface Piped {
  readonly valve: Valve;
  /** While it is open, L/min. */
  readonly flow: number;
}

/** A time span, true time, ms UTC. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Return the times in which a valve was open; of one that still is, without an end. */
export function openSpans({ turns }: Valve): Span[] {
  return turns.flatMap(({ at, open }, index) =>
    open ? [{ from: at, to: turns[index + 1]?.at ?? Number.POSITIVE_INFINITY }] : [],
  );
}

export const cut = (span: Span, { from, to }: Span): Span[] => {
  const inner = { from: Math.max(span.from, from), to: Math.min(span.to, to) };
  return inner.to > inner.from ? [inner] : [];
};

const without = (span: Span, { from, to }: Span): Span[] => [
  ...cut(span, { from: Number.NEGATIVE_INFINITY, to: from }),
  ...cut(span, { from: to, to: Number.POSITIVE_INFINITY }),
];

export const withoutAll = (spans: readonly Span[], taken: readonly Span[]): Span[] =>
  taken.reduce<Span[]>((left, one) => left.flatMap((span) => without(span, one)), [...spans]);

export const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** Return the litres that flowed through valves in a time, ms UTC. */
export function flowBetween(pipes: readonly Piped[], from: number, to: number): number {
  return pipes.reduce(
    (sum, { valve, flow }) =>
      sum + (flow * lengthOf(openSpans(valve).flatMap((span) => cut(span, { from, to })))) / MINUTE,
    0,
  );
}
