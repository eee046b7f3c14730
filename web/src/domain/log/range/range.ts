import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezone);

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

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Return true for an existing day. */
export function isDay(text: string): boolean {
  return DAY.test(text) && dayjs.utc(text).format("YYYY-MM-DD") === text;
}

/** Return a range of whole days. If the last day is not over, the range ends now and moves with time. */
function daysUntil(from: number, to: number, now: number): Span {
  return from < now && now < to ? { from, to: now, follows: true } : { from, to, follows: false };
}

const BACK: Readonly<Record<Exclude<Preset, "day" | "all">, [number, dayjs.ManipulateType]>> = {
  onehour: [1, "hour"],
  threehour: [3, "hour"],
  halfhour: [12, "hour"],
  weeks: [1, "week"],
  months: [1, "month"],
  threemonths: [3, "month"],
};

/**
 * Return the time range of a choice. Days begin and end in the account's time zone.
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
  if (choice.preset === "day") {
    const yesterday = here.subtract(1, "day").format("YYYY-MM-DD");
    const today = here.format("YYYY-MM-DD");
    const [from, to] = [dayjs.tz(`${yesterday} 00:00`, zone), dayjs.tz(`${today} 23:59`, zone)];
    return daysUntil(from.valueOf(), to.valueOf(), now);
  }
  const from =
    choice.preset === "all" ? dayjs.tz(`${ALL_SINCE} 00:00`, zone) : here.subtract(...BACK[choice.preset]);
  return { from: from.valueOf(), to: now, follows: true };
}

/**
 * Read a choice from the address; the default replaces an invalid one. A last day alone, as from a selection
 * of sensors, gives that day and the one before, like the day preset.
 */
export function readChoice(params: URLSearchParams): RangeChoice {
  const [start, end] = [params.get("start") ?? "", params.get("end") ?? ""];
  if (isDay(start) && isDay(end)) return { kind: "custom", start, end };
  if (isDay(end) && !params.has("range"))
    return { kind: "custom", start: dayjs.utc(end).subtract(1, "day").format("YYYY-MM-DD"), end };
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
