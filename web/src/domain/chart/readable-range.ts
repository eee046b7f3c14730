/** Minimum span of an axis, in steps of the last displayed decimal. */
const LEAST_STEPS = 20;

interface PriceRange {
  readonly minValue: number;
  readonly maxValue: number;
}

/**
 * Widen the data's range if it is so narrow that noise in the last decimal would look like a swing. Stays at
 * or above zero if the data does.
 */
export function readableRange({ minValue, maxValue }: PriceRange, decimals: number): PriceRange {
  const least = LEAST_STEPS * 10 ** -decimals;
  const missing = least - (maxValue - minValue);
  if (missing <= 0) return { minValue, maxValue };
  const low = minValue - missing / 2;
  const floor = minValue >= 0 ? Math.max(0, low) : low;
  return { minValue: floor, maxValue: floor + least };
}
