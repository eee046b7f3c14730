import type { YRange } from "../../chart/chart-model.ts";

/** Parse a number with a decimal point or comma; 0 if malformed. */
function numberOf(text: string): number {
  const number = Number.parseFloat(text.trim().replace(",", "."));
  return Number.isFinite(number) ? number : 0;
}

/**
 * Parse two typed ends: an empty pair is the automatic range (null); a minimum not below the maximum is
 * wrong.
 */
export function readYRange(min: string, max: string): YRange | null | "wrong" {
  if (min.trim() === "" && max.trim() === "") return null;
  const range = { min: numberOf(min), max: numberOf(max) };
  return range.min < range.max ? range : "wrong";
}

/**
 * Parse the dialog of a comparison: it shows 0 for an end that is not set, so two zeros are the automatic
 * range.
 */
export function readSharedYRange(min: string, max: string): YRange | null | "wrong" {
  const read = readYRange(min, max);
  return read === "wrong" && numberOf(min) === 0 && numberOf(max) === 0 ? null : read;
}
