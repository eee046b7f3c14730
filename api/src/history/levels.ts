/** Lengths of the two levels above raw rows. Both are counted from 1970 in UTC, independent of zones. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Source of a part of a range: raw rows, or the rollups of an hour or a day. */
export type Level = "raw" | "hour" | "day";

/** Tables of the levels that are updated during ingest. */
export const ROLLUP_TABLE = { hour: "reading_hour", day: "reading_day" } as const satisfies Record<
  Exclude<Level, "raw">,
  string
>;

export const LENGTH = { hour: HOUR_MS, day: DAY_MS } as const;

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;
export const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;
export const hourFrom = (at: number): number => Math.ceil(at / HOUR_MS) * HOUR_MS;
export const dayFrom = (at: number): number => Math.ceil(at / DAY_MS) * DAY_MS;
