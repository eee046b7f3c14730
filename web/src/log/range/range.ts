import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";
import { addDays } from "./calendar.ts";

dayjs.extend(utc);
dayjs.extend(timezone);

/** Range presets, in the words of the specification: `halfhour` is 12 hours. */
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

/** A preset, or two days of a person's choice (`YYYY-MM-DD`, both included). */
export type RangeChoice = { kind: "preset"; preset: Preset } | { kind: "custom"; start: string; end: string };

/** A stretch of time, ms since 1970 UTC. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** It ends now and moves on with time. */
  readonly follows: boolean;
}

/** Where the range "all" starts, in the account's zone. */
export const ALL_SINCE = "2021-11-01";

export const DEFAULT_CHOICE: RangeChoice = { kind: "preset", preset: "threehour" };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True for a day that exists. */
export function isDay(text: string): boolean {
  return DAY.test(text) && dayjs.utc(text).format("YYYY-MM-DD") === text;
}

/** Whole days; where the last of them is not over yet, up to now and on with time: the rest of it holds nothing. */
function daysUntil(from: number, to: number, now: number): Span {
  return from < now && now < to ? { from, to: now, follows: true } : { from, to, follows: false };
}

/**
 * The span of a choice. Days begin and end in the account's zone.
 *
 * @param now ms since 1970 UTC
 * @param zone IANA name
 */
export function spanOf(choice: RangeChoice, now: number, zone: string): Span {
  if (choice.kind === "custom") {
    const from = dayjs.tz(`${choice.start} 00:00`, zone).valueOf();
    const to = dayjs.tz(`${choice.end} 23:59`, zone).valueOf();
    return daysUntil(Math.min(from, to), Math.max(from, to), now);
  }
  const here = dayjs(now).tz(zone);
  const until = (start: dayjs.Dayjs): Span => ({ from: start.valueOf(), to: now, follows: true });
  switch (choice.preset) {
    case "onehour":
      return until(here.subtract(1, "hour"));
    case "threehour":
      return until(here.subtract(3, "hour"));
    case "halfhour":
      return until(here.subtract(12, "hour"));
    case "day": {
      const yesterday = here.subtract(1, "day").format("YYYY-MM-DD");
      const today = here.format("YYYY-MM-DD");
      const [from, to] = [dayjs.tz(`${yesterday} 00:00`, zone), dayjs.tz(`${today} 23:59`, zone)];
      return daysUntil(from.valueOf(), to.valueOf(), now);
    }
    case "weeks":
      return until(here.subtract(1, "week"));
    case "months":
      return until(here.subtract(1, "month"));
    case "threemonths":
      return until(here.subtract(3, "month"));
    case "all":
      return until(dayjs.tz(`${ALL_SINCE} 00:00`, zone));
  }
}

/**
 * Reads a choice out of the address; what is no range is the default. An end alone, as it comes from a selection of
 * sensors, is that day and the one before, like the preset of a day.
 */
export function readChoice(params: URLSearchParams): RangeChoice {
  const [start, end] = [params.get("start") ?? "", params.get("end") ?? ""];
  if (isDay(start) && isDay(end)) return { kind: "custom", start, end };
  if (isDay(end) && !params.has("range")) return { kind: "custom", start: addDays(end, -1), end };
  const preset = PRESETS.find((known) => known === params.get("range"));
  return preset ? { kind: "preset", preset } : DEFAULT_CHOICE;
}

/** Writes a choice into an address. */
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
