/** Steps of the last shown decimal that an axis spans at least. */
const LEAST_STEPS = 20;

interface PriceRange {
  readonly minValue: number;
  readonly maxValue: number;
}

/**
 * The range that data asks for, widened where it is so narrow that the flicker of the last decimal would look like
 * a swing. Stays at or above zero where the data does.
 */
export function readableRange({ minValue, maxValue }: PriceRange, decimals: number): PriceRange {
  const least = LEAST_STEPS * 10 ** -decimals;
  const missing = least - (maxValue - minValue);
  if (missing <= 0) return { minValue, maxValue };
  const low = minValue - missing / 2;
  const floor = minValue >= 0 ? Math.max(0, low) : low;
  return { minValue: floor, maxValue: floor + least };
}
