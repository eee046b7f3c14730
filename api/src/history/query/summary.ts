/** Summary of one field over some rows; parts of a range can be merged. */
export interface Summary {
  /** Rows that have the field. */
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Sum of squared distances from the mean. */
  readonly spread: number;
  readonly last: number | null;
  /** Means of cosine and sine, for a direction. */
  readonly cos: number | null;
  readonly sin: number | null;
}

export const EMPTY: Summary = {
  count: 0,
  min: null,
  max: null,
  mean: null,
  spread: 0,
  last: null,
  cos: null,
  sin: null,
};

const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
const weighted = (a: number | null, weightA: number, b: number | null, weightB: number): number | null =>
  a === null || b === null ? (a ?? b) : (a * weightA + b * weightB) / (weightA + weightB);

/**
 * Merge two summaries, `b` being the later one (Chan, Golub, LeVeque 1983: stable where squares of large
 * totals would lose precision).
 */
export function merge(a: Summary, b: Summary): Summary {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const count = a.count + b.count;
  const distance = (b.mean ?? 0) - (a.mean ?? 0);
  return {
    count,
    min: least(a.min, b.min),
    max: most(a.max, b.max),
    mean: weighted(a.mean, a.count, b.mean, b.count),
    spread: a.spread + b.spread + (distance * distance * a.count * b.count) / count,
    last: b.last ?? a.last,
    cos: weighted(a.cos, a.count, b.cos, b.count),
    sin: weighted(a.sin, a.count, b.sin, b.count),
  };
}

/** Return the population variance; null without rows. */
export const varianceOf = ({ count, spread }: Summary): number | null =>
  count === 0 ? null : spread / count;

/**
 * Return the mean; for a direction the mean on the circle, degrees 0 to 360, or null where the winds cancel
 * out.
 */
export function meanOf(summary: Summary, circular: boolean): number | null {
  if (!circular) return summary.mean;
  const { cos, sin } = summary;
  if (cos === null || sin === null || Math.hypot(cos, sin) < 1e-9) return null;
  const degrees = (Math.atan2(sin, cos) * 180) / Math.PI;
  return (degrees + 360) % 360;
}
