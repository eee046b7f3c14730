/** Text for a missing value. */
export const MISSING = "--";

/** Text for an exact zero, so that it never looks like a missing value. */
export const ZERO = "00";

/** Format of a number: digits after the point and the factor from wire to screen (default 1). */
export interface NumberFormat {
  decimals: number;
  scale?: number;
}

const fixed = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals);
  return Number(text) === 0 && text.startsWith("-") ? text.slice(1) : text;
};

/**
 * Format a reading: missing, null or NaN is `--`, an exact zero is `00`, else the scaled number.
 *
 * @param value in wire units
 */
export function formatReading(value: number | null | undefined, format: NumberFormat): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  if (value === 0) return ZERO;
  return fixed(value * (format.scale ?? 1), format.decimals);
}

/** Format a statistic: a missing or NaN statistic is `0.0`. */
export function formatStatistic(value: number | null | undefined, format: NumberFormat): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return (0).toFixed(1);
  return fixed(value * (format.scale ?? 1), format.decimals);
}

/** Format a channel's moisture: one decimal, missing `--`. */
export function formatMoisture(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return fixed(value, 1);
}
