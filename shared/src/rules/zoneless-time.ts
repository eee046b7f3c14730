import { type ApiTimeZone, parseWallTime } from "./api-time.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
/** ms that a time may lie ahead of its writer's clock (ONL-6). */
const AHEAD = MINUTE;
/** ms that a device's clock may be ahead where a farm API accepts it. */
const DEVICE_AHEAD = 5 * MINUTE;
/** Share of the longest gap down to which the same time twice is one row written twice. */
const EVEN_SHARE = 0.75;
/** Wall times further apart belong to different clock changes. */
const OTHER_CHANGE = 12 * 60 * MINUTE;

const HAS_SECONDS = /:\d{2}:\d{2}/;
const WITH_ZONE = /(Z|[+-]\d{2}:?\d{2})$/;
const EPOCH_MS = /^\d{13}$/;
const EPOCH_S = /^\d{10}$/;

/** Facts about a time of something that has happened. All times are ms UTC. */
export interface TimeContext {
  /** The writer's clock. */
  readonly now: number;
  /** Time of the newest row known before; null if there is none. */
  readonly before?: number | null;
  /** True if it is another row than the one before, even where both show the same time. */
  readonly isOther?: boolean;
}

/** Times that the clock of a farm API shows, and that clock. */
export interface ApiClock {
  /** Zone of the times that the API writes without one. */
  readonly zone: ApiTimeZone;
  /** Return the API's clock as far as it is known, ms UTC. */
  now(): number;
}

/**
 * Return the instants that a text may denote, ms UTC, the earlier first: local time without a zone, time with
 * a zone, or seconds or milliseconds since 1970. Empty for invalid text.
 */
function candidatesOf(text: string | null | undefined, zone: ApiTimeZone): readonly number[] {
  if (!text) return [];
  if (EPOCH_MS.test(text)) return [Number(text)];
  if (EPOCH_S.test(text)) return [Number(text) * 1_000];
  const withZone = WITH_ZONE.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(withZone)) return [withZone];
  const wall = parseWallTime(text);
  if (wall === null) return [];
  const found = zone.instantsOf(wall);
  if (found.length > 0) return found;
  const skipped = zone.toInstant(text);
  return skipped === null ? [] : [skipped];
}

/**
 * Return the time of the newest row of something, ms UTC; null for invalid text (TIME-1). Of the two
 * occurrences of a repeated time it is the later one as soon as the writer's clock, or the row before, is
 * past the first. The time of the row before once more is the row before, unless it is known to be another.
 */
export function newestTime(
  text: string | null | undefined,
  zone: ApiTimeZone,
  { now, before = null, isOther = false }: TimeContext,
): number | null {
  const [first, second] = candidatesOf(text, zone);
  if (first === undefined || second === undefined) return first ?? null;
  // The row before may be known more exactly, from another source.
  const sinceFirst = before === null ? Number.NEGATIVE_INFINITY : before - first;
  const isSame = Math.abs(sinceFirst) < resolutionOf(text) && !isOther;
  if (second <= now + AHEAD) return isSame ? first : second;
  return sinceFirst > 0 && !isSame && second <= now + DEVICE_AHEAD ? second : first;
}

/** Return the unit in which a time is written, ms. */
const resolutionOf = (text: string | null | undefined): number =>
  text && HAS_SECONDS.test(text) ? SECOND : MINUTE;

/**
 * Return the time of something that is to happen, ms UTC; null for invalid text. Of the two occurrences of a
 * repeated time it is the first that is not before `after`.
 */
export function comingTime(
  text: string | null | undefined,
  zone: ApiTimeZone,
  after: number | null,
): number | null {
  const found = candidatesOf(text, zone);
  return found.find((at) => after === null || at >= after) ?? found.at(-1) ?? null;
}

/**
 * Return the times of a log's rows, ms UTC; null for invalid text (TIME-2). The rows may be oldest or newest
 * first. Where a repeated period comes twice, its rows are divided where the times go back most. Where it
 * comes once, it is the occurrence that lies closer to the rows around it; in doubt it is the first.
 *
 * @param now the writer's clock: no row is later
 */
export function seriesTimes(
  texts: readonly (string | null | undefined)[],
  zone: ApiTimeZone,
  now: number,
): (number | null)[] {
  const found = texts.map((text) => candidatesOf(text, zone));
  // Reading is cheap where no time is repeated, which is nearly always.
  if (found.every(({ length }) => length < 2)) return found.map(([at]) => at ?? null);
  const isDescending = isNewestFirst(found.map(([at]) => at));
  if (isDescending) found.reverse();
  const times = ascendingTimes(found, now);
  return isDescending ? times.reverse() : times;
}

/** True where most steps between rows go back. */
function isNewestFirst(times: readonly (number | undefined)[]): boolean {
  let balance = 0;
  let last: number | undefined;
  for (const at of times) {
    if (at === undefined) continue;
    if (last !== undefined) balance += Math.sign(at - last);
    last = at;
  }
  return balance < 0;
}

function ascendingTimes(rows: readonly (readonly number[])[], now: number): (number | null)[] {
  const times: (number | null)[] = [];
  let before: number | null = null;
  for (let from = 0; from < rows.length; ) {
    const [first, second] = rows[from] ?? [];
    if (first === undefined || second === undefined) {
      times.push(first ?? null);
      before = first ?? before;
      from += 1;
      continue;
    }
    let to = from + 1;
    while (isRepeatedNear(rows[to], first)) to += 1;
    const firsts = rows.slice(from, to).map(([at = first]) => at);
    const after = rows.slice(to).find(({ length }) => length > 0)?.[0] ?? null;
    const seconds = firstOfSecond(firsts, { before, after, now, length: second - first });
    for (const [index, at] of firsts.entries()) {
      before = index < seconds ? at : at + second - first;
      times.push(before);
    }
    from = to;
  }
  return times;
}

const isRepeatedNear = (row: readonly number[] | undefined, near: number): boolean => {
  const [first, second] = row ?? [];
  return first !== undefined && second !== undefined && Math.abs(first - near) < OTHER_CHANGE;
};

/** The rows before and after a repeated period (null: none), its writer's clock, and its length. */
interface Around {
  readonly before: number | null;
  readonly after: number | null;
  readonly now: number;
  readonly length: number;
}

/**
 * Return the place of the first row that belongs to the second occurrence of a repeated period.
 *
 * @param rows its rows in order, each as of the first occurrence, ms UTC
 */
function firstOfSecond(rows: readonly number[], around: Around): number {
  const [first = 0] = rows;
  const last = rows.at(-1) ?? first;
  const steps = rows.slice(1).map((at, index) => at - (rows[index] ?? at));
  const smallest = Math.min(...steps);
  if (smallest < 0) return steps.indexOf(smallest) + 1;
  const { before, after, now, length } = around;
  if (before !== null && before > first) return 0;
  const gapBefore = before === null ? length : first - before;
  const gapAfter = after ?? now + AHEAD;
  const isSecond = gapAfter >= last + length && gapAfter - last - length < Math.min(length, gapBefore);
  if (smallest > 0 || rows.length === 1) return isSecond ? 0 : rows.length;
  // A device that reports once in the length of the period shows the same time twice.
  const divided = Math.max(before === null ? 0 : gapBefore, length, gapAfter - last - length);
  const whole = Math.max(
    isSecond ? gapBefore + length : gapBefore,
    gapAfter - last - (isSecond ? length : 0),
  );
  if (gapAfter >= last + length && divided < whole * EVEN_SHARE) return steps.indexOf(0) + 1;
  return isSecond ? 0 : rows.length;
}

/**
 * Return a range as the parameters of a farm API's log, in whole minutes around it. The API may read a
 * repeated time as either of its occurrences: a range that begins or ends there is extended across the
 * change, and answers hold more rows than the range.
 */
export function wallRange(from: number, to: number, zone: ApiTimeZone): { start: string; end: string } {
  const minute = (instant: number): string => zone.toApi(instant).slice(0, "2026-11-21 14:04".length);
  const outside = (instant: number, step: number): number => {
    let at = instant;
    while (isRepeated(at, zone)) at += step;
    return at;
  };
  return {
    start: minute(outside(Math.floor(from / MINUTE) * MINUTE, -15 * MINUTE)),
    end: minute(outside(Math.ceil(to / MINUTE) * MINUTE, 15 * MINUTE)),
  };
}

/** True if a clock in the zone shows the time of an instant twice. */
export const isRepeated = (instant: number, zone: ApiTimeZone): boolean =>
  zone.instantsOf(zone.wallAt(instant)).length > 1;
