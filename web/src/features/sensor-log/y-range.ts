import type { YRange } from "../../ui/chart/chart-model.ts";

/** A whole number out of typed text; what is none is 0. */
const whole = (text: string): number => {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? 0 : number;
};

/** Two typed ends: an empty pair is the automatic range (null); a smallest not under the largest is wrong. */
export function readYRange(min: string, max: string): YRange | null | "wrong" {
  if (min.trim() === "" && max.trim() === "") return null;
  const range = { min: whole(min), max: whole(max) };
  return range.min < range.max ? range : "wrong";
}
