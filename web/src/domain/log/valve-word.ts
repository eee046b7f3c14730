import type { TFunction } from "i18next";

/** Field of a controller's log with the state of the valve. */
export const VALVE = "valve";

/** Translate a valve's value: 1 open, 2 closed; a value between is the share of time open. */
export function valveWord(value: number | null, t: TFunction<"common">): string {
  if (value === null) return "--";
  const open = 2 - value;
  if (open > 0 && open < 1) return `${t("valve.open")} ${Math.round(open * 100)} %`;
  return t(open === 0 ? "valve.closed" : "valve.open");
}
