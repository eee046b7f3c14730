import type { YRange } from "../../ui/chart/chart-model.ts";

/** A number out of typed text, with a point or a comma; what is none is 0. */
function numberOf(text: string): number {
  const number = Number.parseFloat(text.trim().replace(",", "."));
  return Number.isFinite(number) ? number : 0;
}

/** Two typed ends: an empty pair is the automatic range (null); a smallest not under the largest is wrong. */
export function readYRange(min: string, max: string): YRange | null | "wrong" {
  if (min.trim() === "" && max.trim() === "") return null;
  const range = { min: numberOf(min), max: numberOf(max) };
  return range.min < range.max ? range : "wrong";
}

/** The dialog of several devices shows 0 for an end that nobody has set: two zeros are the automatic range. */
export function readSharedYRange(min: string, max: string): YRange | null | "wrong" {
  const read = readYRange(min, max);
  return read === "wrong" && numberOf(min) === 0 && numberOf(max) === 0 ? null : read;
}
