/** Text for a missing value. */
export const MISSING = "--";

/** Text for an exact zero, so that it never looks like a missing value. */
export const ZERO = "00";

/** Format of a number: digits after the point and the factor from wire to screen (default 1). */
export interface NumberFormat {
  decimals: number;
  scale?: number;
}

/** Format a number for a file: digits after the point, no grouping, and no minus before a rounded zero. */
export const fixed = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals);
  return Number(text) === 0 && text.startsWith("-") ? text.slice(1) : text;
};

/** Group thousands as Korean, English and Chinese do: 4,590.1. */
const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+(?=\.|$))(?<!\.\d*)/g, ",");

/** Units that are written in a larger one from a number on that is hard to read. */
const LARGER: Readonly<Record<string, string>> = { L: "m³", lx: "klx" };
const HARD_TO_READ = 10_000;
const LARGER_FACTOR = 0.001;

/**
 * Format a reading: missing, null or NaN is `--`, an exact zero is `00`, else the scaled number with its
 * thousands grouped.
 *
 * @param value in wire units
 */
export function formatReading(value: number | null | undefined, format: NumberFormat): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  if (value === 0) return ZERO;
  return grouped(fixed(value * (format.scale ?? 1), format.decimals));
}

/** Format a reading with its unit: from 10,000 on litres become m³, and lux klx, with one decimal. */
export function formatWithUnit(
  value: number | null | undefined,
  format: NumberFormat,
  unit: string,
): { text: string; unit: string } {
  const larger = LARGER[unit];
  const isLarge = typeof value === "number" && Math.abs(value) >= HARD_TO_READ;
  if (larger === undefined || !isLarge) return { text: formatReading(value, format), unit };
  return { text: formatReading(value, { decimals: 1, scale: LARGER_FACTOR }), unit: larger };
}

/** Points of the compass, clockwise from north. */
// biome-ignore format: a compass has four quarters
const COMPASS = [
  "n", "nne", "ne", "ene",
  "e", "ese", "se", "sse",
  "s", "ssw", "sw", "wsw",
  "w", "wnw", "nw", "nnw",
] as const;
export type CompassPoint = (typeof COMPASS)[number];

/** Return the point of the compass that is nearest to a direction in degrees: 247 is west-southwest. */
export function compassPoint(degrees: number): CompassPoint {
  const step = 360 / COMPASS.length;
  const index = Math.round((((degrees % 360) + 360) % 360) / step) % COMPASS.length;
  return COMPASS[index] ?? "n";
}

/** Format a statistic: a missing or NaN statistic is `0.0`. */
export function formatStatistic(value: number | null | undefined, format: NumberFormat): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return (0).toFixed(1);
  return grouped(fixed(value * (format.scale ?? 1), format.decimals));
}

/** Format a channel's moisture: one decimal, missing `--`. */
export function formatMoisture(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return fixed(value, 1);
}
