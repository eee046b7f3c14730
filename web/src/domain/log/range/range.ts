import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import {
  addDays,
  addMonths,
  atSameTime,
  dateAt,
  isDate,
  startOfDate,
  zoneNamed,
} from "@mulkko/shared/rules/calendar";

/** Range presets with the names of the specification: `halfhour` is 12 hours. */
export const PRESETS = [
  "onehour",
  "threehour",
  "halfhour",
  "day",
  "weeks",
  "months",
  "threemonths",
  "all",
] as const;
export type Preset = (typeof PRESETS)[number];

/** A preset, or two days that the user selects (`YYYY-MM-DD`, both inclusive). */
export type RangeChoice = { kind: "preset"; preset: Preset } | { kind: "custom"; start: string; end: string };

/** Time range, ms since 1970 UTC. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** True if it ends now and moves with time. */
  readonly follows: boolean;
}

/** Start of the range "all", in the account's time zone. */
export const ALL_SINCE = "2021-11-01";

export const DEFAULT_CHOICE: RangeChoice = { kind: "preset", preset: "threehour" };

/** Return a range of whole days. If the last day is not over, the range ends now and moves with time. */
function daysUntil(from: number, to: number, now: number): Span {
  return from < now && now < to ? { from, to: now, follows: true } : { from, to, follows: false };
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Return the instant of the clock's last minute on a date: 23:59. */
const lastMinuteOf = (date: string, zone: ApiTimeZone): number =>
  startOfDate(addDays(date, 1), zone) - MINUTE_MS;

/** Return the start of a range that ends now. */
function startOf(preset: Exclude<Preset, "day">, now: number, zone: ApiTimeZone): number {
  const today = dateAt(now, zone);
  switch (preset) {
    case "onehour":
      return now - HOUR_MS;
    case "threehour":
      return now - 3 * HOUR_MS;
    case "halfhour":
      return now - 12 * HOUR_MS;
    case "weeks":
      return atSameTime(now, addDays(today, -7), zone);
    case "months":
      return atSameTime(now, addMonths(today, -1), zone);
    case "threemonths":
      return atSameTime(now, addMonths(today, -3), zone);
    case "all":
      return startOfDate(ALL_SINCE, zone);
  }
}

/**
 * Return the time range of a choice. Days begin and end in the account's time zone.
 *
 * @param now ms since 1970 UTC
 * @param zoneName IANA name
 */
export function spanOf(choice: RangeChoice, now: number, zoneName: string): Span {
  const zone = zoneNamed(zoneName);
  if (choice.kind === "custom") {
    const [first = choice.start, last = first] = [choice.start, choice.end].sort();
    return daysUntil(startOfDate(first, zone), lastMinuteOf(last, zone), now);
  }
  if (choice.preset === "day") {
    const today = dateAt(now, zone);
    return daysUntil(startOfDate(addDays(today, -1), zone), lastMinuteOf(today, zone), now);
  }
  return { from: startOf(choice.preset, now, zone), to: now, follows: true };
}

/**
 * Read a choice from the address; the default replaces an invalid one. A last day alone, as from a selection
 * of sensors, gives that day and the one before, like the day preset.
 */
export function readChoice(params: URLSearchParams): RangeChoice {
  const [start, end] = [params.get("start") ?? "", params.get("end") ?? ""];
  if (isDate(start) && isDate(end)) return { kind: "custom", start, end };
  if (isDate(end) && !params.has("range")) return { kind: "custom", start: addDays(end, -1), end };
  const preset = PRESETS.find((known) => known === params.get("range"));
  return preset ? { kind: "preset", preset } : DEFAULT_CHOICE;
}

/** Write a choice to an address. */
export function writeChoice(params: URLSearchParams, choice: RangeChoice): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ["range", "start", "end"]) next.delete(name);
  if (choice.kind === "preset") next.set("range", choice.preset);
  else {
    next.set("start", choice.start);
    next.set("end", choice.end);
  }
  return next;
}
