import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { between, pick } from "./draw.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A change of a zone's clocks. */
interface Change {
  /** ms UTC */
  readonly at: number;
  /** Minutes ahead of UTC from then on. */
  readonly offset: number;
}

interface Zone {
  readonly name: string;
  /** Minutes ahead of UTC at the begin of 2026. */
  readonly offset: number;
  /** The changes of 2026, oldest first: written down here, so that the product is not asked about itself. */
  readonly changes: readonly Change[];
}

/** Zones: without summer time, by an hour, by half an hour, and at midnight, so that a day begins at 01:00. */
const ZONES: readonly Zone[] = [
  { name: "Asia/Seoul", offset: 540, changes: [] },
  {
    name: "Europe/Berlin",
    offset: 60,
    changes: [
      { at: Date.UTC(2026, 2, 29, 1), offset: 120 },
      { at: Date.UTC(2026, 9, 25, 1), offset: 60 },
    ],
  },
  {
    name: "America/New_York",
    offset: -300,
    changes: [
      { at: Date.UTC(2026, 2, 8, 7), offset: -240 },
      { at: Date.UTC(2026, 10, 1, 6), offset: -300 },
    ],
  },
  {
    name: "Australia/Lord_Howe",
    offset: 660,
    changes: [
      { at: Date.UTC(2026, 3, 4, 15), offset: 630 },
      { at: Date.UTC(2026, 9, 3, 15, 30), offset: 660 },
    ],
  },
  {
    name: "America/Santiago",
    offset: -180,
    changes: [
      { at: Date.UTC(2026, 3, 5, 3), offset: -240 },
      { at: Date.UTC(2026, 8, 6, 4), offset: -180 },
    ],
  },
];

/** A time in which a zone's clocks are ahead of UTC by `offset` minutes; ms UTC, `to` exclusive. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

function piecesOf(name: string): readonly Piece[] {
  const zone = ZONES.find((one) => one.name === name);
  if (!zone) throw new RangeError(`no zone ${name}`);
  const begins = [{ at: Number.NEGATIVE_INFINITY, offset: zone.offset }, ...zone.changes];
  return begins.map(({ at, offset }, place) => ({
    from: at,
    to: begins[place + 1]?.at ?? Number.POSITIVE_INFINITY,
    offset,
  }));
}

/** Return what a clock of the zone shows at an instant of 2026 (ms UTC), ms of a calendar without zones. */
export function wallAt(name: string, instant: number): number {
  const piece = piecesOf(name).find(({ to }) => instant < to);
  return instant + (piece?.offset ?? 0) * MINUTE;
}

/** Return the date that a calendar of the zone shows at an instant (ms UTC), `YYYY-MM-DD`. */
export const dateAt = (name: string, instant: number): string =>
  new Date(wallAt(name, instant)).toISOString().slice(0, "2026-11-21".length);

/** Return the first instant at which a clock of the zone shows a time or a later one (CAL-1), ms UTC. */
export function firstAt(name: string, wall: number): number {
  for (const { from, to, offset } of piecesOf(name)) {
    const at = Math.max(from, wall - offset * MINUTE);
    if (at < to) return at;
  }
  throw new RangeError("the last piece has no end");
}

/**
 * Return the instants of a time of day, one for each date, in [from, to), ms UTC.
 *
 * @param onTime HH:mm
 */
export function occurrences(name: string, onTime: string, from: number, to: number): number[] {
  const [hour, minute] = onTime.split(":").map(Number);
  const inDay = ((hour ?? 0) * 60 + (minute ?? 0)) * MINUTE;
  const found = [];
  const lastWall = wallAt(name, to) + DAY;
  for (
    let midnight = Math.floor(wallAt(name, from) / DAY) * DAY - DAY;
    midnight < lastWall;
    midnight += DAY
  ) {
    const at = firstAt(name, midnight + inDay);
    if (at >= from && at < to) found.push(at);
  }
  return found;
}

/** Return a time of day of a calendar without zones, HH:mm. */
const timeOf = (wall: number): string => new Date(wall).toISOString().slice(11, 16);

/** A zone for the account of a world, and the world's begin. */
export interface DrawnZone {
  readonly zone: string;
  /** ms UTC, a whole minute; null: that of other worlds. */
  readonly start: number | null;
  /** Return the time of day of a reservation, HH:mm. */
  readonly onTime: () => string;
  /** Return true for a period that becomes a reservation in this world. */
  readonly isReserved: () => boolean;
}

/** A stream of its own, so that everything else of a world stays as it was. */
const STREAM = 61_000_001;
/** Share of the worlds with modes whose account is in another zone, of these with a change, and else near midnight. */
const SHARE = 0.6;
const CHANGING = 0.7;
const NEAR_MIDNIGHT = 0.6;
/** Share of the reservations that are planned into an hour that is skipped. */
const SKIPPED = 0.6;
/** Share of the periods that become reservations where the clocks change. */
const RESERVED = 0.6;

/** Draw a time around the change of a zone's clocks: before it, in what it skips or doubles, or after it. */
function drawOnTime(
  random: Random,
  name: string,
  start: number,
  change: Change,
  lengthMinutes: number,
): string {
  const before = wallAt(name, change.at - 1) + 1;
  const skipped = (wallAt(name, change.at) - before) / MINUTE;
  if (skipped > 0 && random() < SKIPPED) return timeOf(before + between(random, 0, skipped - 1) * MINUTE);
  return timeOf(wallAt(name, start + between(random, 2, lengthMinutes - 6) * MINUTE));
}

/**
 * Draw the zone of a world whose farm API carries out modes; null: that of a new account. Often its clocks change in the
 * world, or a day begins.
 */
export function drawZone(seed: number, lengthMs: number, defaultStart: number): DrawnZone | null {
  const random = seededRandom(seed + STREAM);
  if (random() >= SHARE) return null;
  const { name, changes } = pick(random, ZONES);
  const minutes = Math.round(lengthMs / MINUTE);
  const untilThen = between(random, 4, Math.max(5, minutes - 10)) * MINUTE;
  if (changes.length > 0 && random() < CHANGING) {
    const change = pick(random, changes);
    const start = change.at - untilThen;
    const onTime = (): string => drawOnTime(random, name, start, change, minutes);
    return { zone: name, start, onTime, isReserved: () => random() < RESERVED };
  }
  const midnight = firstAt(name, Math.ceil(wallAt(name, defaultStart) / DAY) * DAY);
  const start = random() < NEAR_MIDNIGHT ? midnight - untilThen : null;
  const anyTime = (): string =>
    timeOf(wallAt(name, (start ?? defaultStart) + between(random, 2, minutes - 6) * MINUTE));
  return { zone: name, start, onTime: anyTime, isReserved: () => false };
}
