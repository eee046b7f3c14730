/** Wall clocks of zones by `Intl` alone, to compare the rules with. */

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Zones with clock changes of an hour, of half an hour and of two, at midnight, and in half-hour zones. */
export const CHANGING_ZONES = [
  "Europe/Berlin",
  "Europe/London",
  "Europe/Dublin",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "America/Havana",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Beirut",
  "Asia/Jerusalem",
  "Australia/Adelaide",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Chatham",
  "Antarctica/Troll",
] as const;

/** Return a formatter of instants as `2026-11-21 14:04:03` in a zone. */
export function wallWriter(zone: string): (instant: number) => string {
  const intl = new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  return (instant) => intl.format(instant);
}

/** A clock change: from `at` (ms UTC) on, the clock is ahead of UTC by `after` ms instead of `before`. */
export interface ClockChange {
  readonly zone: string;
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** Return the clock changes of a zone in [`from`, `to`), ms UTC, oldest first. */
export function clockChanges(zone: string, from: number, to: number): ClockChange[] {
  const write = wallWriter(zone);
  const offsetAt = (instant: number): number => Date.parse(`${write(instant).replace(" ", "T")}Z`) - instant;
  const found: ClockChange[] = [];
  for (let day = from; day < to; day += DAY) {
    const [before, after] = [offsetAt(day), offsetAt(day + DAY)];
    if (before === after) continue;
    let [early, late] = [day, day + DAY];
    while (late - early > MINUTE) {
      const middle = early + Math.floor((late - early) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle) === before) early = middle;
      else late = middle;
    }
    found.push({ zone, at: late, before, after });
  }
  return found;
}

/** Return the clock changes of many zones in some years. */
export const changesOf = (zones: readonly string[], years: readonly number[]): ClockChange[] =>
  zones.flatMap((zone) =>
    years.flatMap((year) => clockChanges(zone, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1))),
  );

/** A minute with what the clock shows, `2026-11-21 14:04`. */
export interface WallMinute {
  readonly at: number;
  readonly wall: string;
}

/** Return every minute in [`from`, `to`), whole minutes in ms UTC. */
export function wallMinutes(zone: string, from: number, to: number): WallMinute[] {
  const write = wallWriter(zone);
  const minutes: WallMinute[] = [];
  for (let at = from; at < to; at += MINUTE) minutes.push({ at, wall: write(at).slice(0, 16) });
  return minutes;
}

/**
 * Return when a time of day occurs within these minutes, once a date: at the first minute whose wall clock
 * shows it or a later time. The occurrence of a date that began before these minutes is left out.
 */
export function occurrencesAmong(minutes: readonly WallMinute[], onTime: string): number[] {
  const found: number[] = [];
  const waiting: string[] = [];
  let last = minutes[0]?.wall.slice(0, 10) ?? "";
  for (const { at, wall } of minutes) {
    const date = wall.slice(0, 10);
    if (date > last) {
      waiting.push(`${date} ${onTime}`);
      last = date;
    }
    while (waiting[0] !== undefined && wall >= waiting[0]) {
      waiting.shift();
      found.push(at);
    }
  }
  return found;
}
