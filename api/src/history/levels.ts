/** Lengths of the two levels above raw rows; both are counted from 1970 in UTC, so that no zone moves them. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Where a part of a range is read: rows as they came, or what is kept of an hour or a day of them. */
export type Level = "raw" | "hour" | "day";

/** The tables of the levels that are kept while readings come in. */
export const ROLLUP_TABLE = { hour: "reading_hour", day: "reading_day" } as const satisfies Record<
  Exclude<Level, "raw">,
  string
>;

/** What else changes in the row of an hour or a day that is not what it was: a day's hours have to be packed anew. */
export const UNPACKED = { hour: "", day: ", hours = null" } as const;

export const LENGTH = { hour: HOUR_MS, day: DAY_MS } as const;

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;
export const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;
export const hourFrom = (at: number): number => Math.ceil(at / HOUR_MS) * HOUR_MS;
export const dayFrom = (at: number): number => Math.ceil(at / DAY_MS) * DAY_MS;
