/** What of something was measured, in the order in which it was. */
export interface Measured {
  readonly name: string;
  /** How much it may have grown in the second half and still count as flat: a share of it, and in its own unit. */
  readonly share: number;
  readonly slack: number;
  readonly values: readonly number[];
}

/** Whether something stayed flat over the second half: the middle of its last quarter beside that of the one before. */
export interface Flatness {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly flat: boolean;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}

/** Measurements that a quarter needs so that one that stands out decides nothing. */
const LEAST = 12;

/**
 * Judges the second half of a run. What grows steadily has grown by a quarter of the run between the two quarters'
 * middles; what only jumps about has not.
 *
 * @throws Error when there are too few measurements to say anything
 */
export function flatness({ name, share, slack, values }: Measured): Flatness {
  if (values.length < LEAST) throw new Error(`${name}: ${values.length} measurements say nothing`);
  const quarter = Math.floor(values.length / 4);
  const before = median(values.slice(-2 * quarter, -quarter));
  const after = median(values.slice(-quarter));
  return { name, before, after, flat: after <= before * (1 + share) + slack };
}
