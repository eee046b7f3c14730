import { type ApiTimeZone, createApiTimeZone } from "@mulkko/shared/rules/api-time";

export const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Most cached zones; each caches its offsets. */
const MAX_ZONES = 64;

const zones = new Map<string, ApiTimeZone>();

const QUARTER_MS = 15 * MINUTE_MS;
const KEPT_ANSWERS = 512;
/** Results by time, zone and quarter of an hour: days begin and clocks change on a quarter, everywhere. */
const answers = new Map<string, readonly Occurrence[]>();

/** @throws RangeError for an unknown zone */
function zoneOf(name: string): ApiTimeZone {
  const known = zones.get(name);
  if (known) return known;
  if (zones.size >= MAX_ZONES) zones.clear();
  const zone = createApiTimeZone(name);
  zones.set(name, zone);
  return zone;
}

/** True for a zone that the runtime knows. */
export function isTimeZone(name: string): boolean {
  try {
    return zoneOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Parse wall time `YYYY-MM-DD HH:mm` to ms of a calendar without zones. */
const calendar = (text: string): number => Date.parse(`${text.slice(0, 16).replace(" ", "T")}:00Z`);

/** Return the wall time of a zone at an instant, ms of a calendar without zones. */
const wallAt = (zone: ApiTimeZone, instant: number): number => {
  const minute = Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  return calendar(zone.toApi(minute)) + (instant - minute);
};

/**
 * Return the first instant at which a clock in the zone shows `wall` or later. A time skipped by a clock
 * change becomes the next existing minute; of a repeated time it is the first.
 */
function firstInstant(zone: ApiTimeZone, wall: number): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((instant) => wallAt(zone, instant) - instant);
  const met = offsets.map((offset) => wall - offset).filter((instant) => wallAt(zone, instant) === wall);
  if (met.length > 0) return Math.min(...met);
  // Skipped: the change lies between the two candidates, on a whole minute.
  let before = Math.min(...offsets.map((offset) => wall - offset));
  let after = Math.max(...offsets.map((offset) => wall - offset));
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (wallAt(zone, middle) >= wall) after = middle;
    else before = middle;
  }
  return wallAt(zone, before) >= wall ? before : after;
}

/** One occurrence of a time of day. */
export interface Occurrence {
  /** Requested `YYYY-MM-DD HH:mm`: the same for a minute repeated by a clock change. */
  readonly name: string;
  /** ms since 1970 UTC */
  readonly at: number;
}

/**
 * Return the occurrences of a time of day around an instant: yesterday's, today's and tomorrow's.
 *
 * @param onTime HH:mm
 * @param timezone IANA name
 * @param now ms since 1970 UTC
 * @throws RangeError for an unknown zone
 */
export function occurrencesAround(onTime: string, timezone: string, now: number): readonly Occurrence[] {
  const quarter = `${timezone} ${onTime} ${Math.floor(now / QUARTER_MS)}`;
  const known = answers.get(quarter);
  if (known) return known;
  if (answers.size >= KEPT_ANSWERS) answers.clear();
  const found = findOccurrences(zoneOf(timezone), onTime, now);
  answers.set(quarter, found);
  return found;
}

function findOccurrences(zone: ApiTimeZone, onTime: string, now: number): Occurrence[] {
  const today = Math.floor(wallAt(zone, now) / DAY_MS) * DAY_MS;
  return [today - DAY_MS, today, today + DAY_MS].map((day) => {
    const name = `${new Date(day).toISOString().slice(0, 10)} ${onTime}`;
    return { name, at: firstInstant(zone, calendar(name)) };
  });
}
