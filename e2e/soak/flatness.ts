/** Measurements of one quantity, in order. */
export interface Measured {
  readonly name: string;
  /** Allowed growth in the second half that still counts as flat: a share, and an amount in its own unit. */
  readonly share: number;
  readonly slack: number;
  readonly values: readonly number[];
}

/**
 * Result for one quantity over the second half: the median of its last quarter beside that of the one before.
 */
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

/** Minimum of measurements in a quarter, so that one outlier decides nothing. */
const LEAST = 12;

/**
 * Judge the second half of a run. A steady growth shows between the two quarters' medians; jumps do not.
 *
 * @throws Error if there are too few measurements
 */
export function flatness({ name, share, slack, values }: Measured): Flatness {
  if (values.length < LEAST) throw new Error(`${name}: ${values.length} measurements say nothing`);
  const quarter = Math.floor(values.length / 4);
  const before = median(values.slice(-2 * quarter, -quarter));
  const after = median(values.slice(-quarter));
  return { name, before, after, flat: after <= before * (1 + share) + slack };
}
