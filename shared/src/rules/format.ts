/** What stands where a value is missing. */
export const MISSING = "--";

/** What stands for an exact zero, so that it is never taken for a missing value. */
export const ZERO = "00";

/** How a number is shown: digits after the point and the factor from wire to screen (default 1). */
export interface NumberFormat {
  decimals: number;
  scale?: number;
}

const fixed = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals);
  return Number(text) === 0 && text.startsWith("-") ? text.slice(1) : text;
};

/**
 * A reading for people: missing, null or NaN is `--`, an exact zero is `00`, else the scaled number.
 *
 * @param value in wire units
 */
export function formatReading(value: number | null | undefined, format: NumberFormat): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  if (value === 0) return ZERO;
  return fixed(value * (format.scale ?? 1), format.decimals);
}

/** A statistic for people: a missing or NaN statistic is `0.0`. */
export function formatStatistic(value: number | null | undefined, format: NumberFormat): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return (0).toFixed(1);
  return fixed(value * (format.scale ?? 1), format.decimals);
}

/** Channel moisture for people: one decimal, missing `--`. */
export function formatMoisture(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return fixed(value, 1);
}
