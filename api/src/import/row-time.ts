import { createApiTimeZone, wallTime } from "@mulkko/shared/rules/api-time";
import { messageTime } from "../decode/message-time.ts";
import type { TimeRule } from "./mapping.ts";

/** A parsed time: an instant, or wall time as ms of a calendar without zones. */
type WrittenTime =
  | { readonly kind: "instant"; readonly at: number }
  | { readonly kind: "wall"; readonly wall: number };

/** Parse a time; null where the text is invalid. */
interface TimeReader {
  readonly hasZone: boolean;
  read(text: string): WrittenTime | null;
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const TOKEN = /YYYY|YY|MM|M|DD|D|HH|H|hh|h|mm|m|ss|s|SSS|A|Z/g;

const PARTS: Readonly<Record<string, { readonly name: string; readonly pattern: string }>> = {
  YYYY: { name: "year", pattern: "\\d{4}" },
  YY: { name: "year", pattern: "\\d{2}" },
  MM: { name: "month", pattern: "\\d{2}" },
  M: { name: "month", pattern: "\\d{1,2}" },
  DD: { name: "day", pattern: "\\d{2}" },
  D: { name: "day", pattern: "\\d{1,2}" },
  HH: { name: "hour", pattern: "\\d{2}" },
  H: { name: "hour", pattern: "\\d{1,2}" },
  hh: { name: "hour12", pattern: "\\d{2}" },
  h: { name: "hour12", pattern: "\\d{1,2}" },
  mm: { name: "minute", pattern: "\\d{2}" },
  m: { name: "minute", pattern: "\\d{1,2}" },
  ss: { name: "second", pattern: "\\d{2}" },
  s: { name: "second", pattern: "\\d{1,2}" },
  SSS: { name: "fraction", pattern: "\\d{1,9}" },
  A: { name: "half", pattern: "[AaPp]\\.?[Mm]\\.?|오전|오후|上午|下午" },
  Z: { name: "zone", pattern: "Z|[+-]\\d{2}:?\\d{2}" },
};

const IS_AFTERNOON = /^(p|오후|下午)/i;
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Convert the pattern to a regular expression; null where a part of the date is missing or repeated. */
function expressionOf(pattern: string): { expression: RegExp; names: ReadonlySet<string> } | null {
  const names = new Set<string>();
  let source = "";
  let from = 0;
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    const part = PARTS[token];
    if (!part || names.has(part.name)) return null;
    names.add(part.name);
    source += `${escaped(pattern.slice(from, index))}(?<${part.name}>${part.pattern})`;
    from = index + token.length;
  }
  source += escaped(pattern.slice(from));
  const hasDate = ["year", "month", "day"].every((name) => names.has(name));
  if (!hasDate || names.has("half") !== names.has("hour12") || (names.has("hour") && names.has("hour12"))) {
    return null;
  }
  return { expression: new RegExp(`^${source}$`), names };
}

type Groups = Readonly<Record<string, string | undefined>>;

function hourOf(groups: Groups): number {
  if (groups.hour12 === undefined) return Number(groups.hour ?? 0);
  const hour = Number(groups.hour12);
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (IS_AFTERNOON.test(groups.half ?? "") ? 12 : 0);
}

/** Return ms of a calendar without zones; null for an invalid date or time of day. */
function wallOf(groups: Groups): number | null {
  const { year = "", month, day, minute = 0, second = 0, fraction = 0 } = groups;
  return wallTime({
    year: year.length === 2 ? 2_000 + Number(year) : Number(year),
    month: Number(month),
    day: Number(day),
    hour: hourOf(groups),
    minute: Number(minute),
    second: Number(second) + Number(`0.${fraction}`),
  });
}

function offsetOf(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000;
}

function unixReader(unit: number): TimeReader {
  const read = (text: string): WrittenTime | null =>
    /^\d{1,15}(\.\d+)?$/.test(text) ? { kind: "instant", at: Math.round(Number(text) * unit) } : null;
  return { hasZone: true, read };
}

/** @param format `iso`, `unix-s`, `unix-ms` or a pattern; null for any other */
export function timeReaderOf(format: string): TimeReader | null {
  if (format === "unix-s") return unixReader(1_000);
  if (format === "unix-ms") return unixReader(1);
  if (format === "iso") {
    const read = (text: string): WrittenTime | null => {
      const at = ISO.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(at) ? null : { kind: "instant", at };
    };
    return { hasZone: true, read };
  }
  const made = expressionOf(format);
  if (!made) return null;
  return {
    hasZone: made.names.has("zone"),
    read(text) {
      const groups = made.expression.exec(text)?.groups;
      const wall = groups ? wallOf(groups) : null;
      if (!groups || wall === null) return null;
      return groups.zone === undefined
        ? { kind: "wall", wall }
        : { kind: "instant", at: wall - offsetOf(groups.zone) };
    },
  };
}

const OFFSET = /^([+-])(0\d|1[0-4]):([0-5]\d)$/;

/** Convert wall time to instants. */
export interface WallClock {
  /**
   * Return the instants, ms since 1970 UTC, at which a clock in the zone shows this. There is none where
   * summer time skips it. There are two where the end of summer time repeats it, the earlier first.
   *
   * @param wall ms of a calendar without zones
   */
  instantsOf(wall: number): readonly number[];
}

/** @param zone an IANA name or `+09:00`; null for any other */
export function createWallClock(zone: string): WallClock | null {
  const fixed = OFFSET.exec(zone);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    const offset = (fixed[1] === "-" ? -minutes : minutes) * 60_000;
    return { instantsOf: (wall) => [wall - offset] };
  }
  try {
    return createApiTimeZone(zone);
  } catch {
    return null;
  }
}

export type RowTime =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly reason: "bad-time" | "no-such-time" | "from-future" };

export interface RowTimes {
  /**
   * Return the time of a row, ms since 1970 UTC.
   *
   * @param series series of the row: the order of its rows distinguishes the two hours at the end of summer
   * time
   */
  read(text: string, series: string, now: number): RowTime;
}

const LATEST_MS = 8.64e15;

/** @param clock null where every format includes its zone */
export function createRowTimes(
  readers: readonly TimeReader[],
  clock: WallClock | null,
  order: NonNullable<TimeRule["order"]>,
): RowTimes {
  // Bounded by the registered sensors.
  const last = new Map<string, number>();

  /** In the repeated hour, the first pass is summer time as long as the series continues in order. */
  const choose = (instants: readonly number[], before: number | undefined): number | undefined => {
    const [first, second] = instants;
    if (first === undefined || second === undefined) return first;
    if (order === "ascending") return before === undefined || before < first ? first : second;
    return before === undefined || before > second ? second : first;
  };

  return {
    read(text, series, now) {
      const written = readers.map((reader) => reader.read(text)).find((time) => time !== null);
      if (!written) return { ok: false, reason: "bad-time" };
      const instants = written.kind === "instant" ? [written.at] : (clock?.instantsOf(written.wall) ?? []);
      const at = choose(instants, last.get(series));
      if (at === undefined) return { ok: false, reason: "no-such-time" };
      if (!(Math.abs(at) <= LATEST_MS)) return { ok: false, reason: "bad-time" };
      last.set(series, at);
      const checked = messageTime(new Date(at).toISOString(), now);
      if (checked.ok) return checked;
      return { ok: false, reason: checked.reason === "from-future" ? "from-future" : "bad-time" };
    },
  };
}
