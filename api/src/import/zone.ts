import { createApiTimeZone } from "@mulkko/shared/rules/api-time";

const DAY = 86_400_000;
const SECOND = 1_000;
const CACHED_DAYS = 20_000;
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
  let times: ReturnType<typeof createApiTimeZone>;
  try {
    times = createApiTimeZone(zone);
  } catch {
    return null;
  }
  const offsetAt = (instant: number): number => {
    const whole = Math.floor(instant / SECOND) * SECOND;
    return Date.parse(`${times.toApi(whole).replace(" ", "T")}Z`) - whole;
  };
  /** Offsets well before and well after a day: where they are equal, so are all between. */
  const cached = new Map<number, readonly [number, number]>();
  const offsetsAround = (day: number): readonly [number, number] => {
    const known = cached.get(day);
    if (known) return known;
    if (cached.size >= CACHED_DAYS) cached.clear();
    const found = [offsetAt(day - DAY), offsetAt(day + 2 * DAY)] as const;
    cached.set(day, found);
    return found;
  };
  return {
    instantsOf(wall) {
      const [before, after] = offsetsAround(Math.floor(wall / DAY) * DAY);
      if (before === after) return [wall - before];
      return [before, after]
        .map((offset) => ({ offset, at: wall - offset }))
        .filter(({ offset, at }) => offsetAt(at) === offset)
        .map(({ at }) => at)
        .toSorted((a, b) => a - b);
    },
  };
}
