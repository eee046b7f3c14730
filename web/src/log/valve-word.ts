import type { TFunction } from "i18next";

/** The field of a controller's log that says whether a valve is open. */
export const VALVE = "valve";

/** What a valve's number means: 1 open, 2 closed; a share between is how long it was open. */
export function valveWord(value: number | null, t: TFunction<"common">): string {
  if (value === null) return "--";
  const open = 2 - value;
  if (open > 0 && open < 1) return `${t("valve.open")} ${Math.round(open * 100)} %`;
  return t(open === 0 ? "valve.closed" : "valve.open");
}
