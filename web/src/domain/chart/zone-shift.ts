const DAY = 86_400;

/**
 * Shift instants to a zone's wall clock, for a chart without time zones. Look offsets up once per UTC day. Only a day with a clock change is looked up per quarter hour.
 *
 * @param zone IANA name
 * @throws RangeError for a zone that the runtime does not know
 */
export function createZoneShift(zone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const lookUp = (instant: number): number => {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(instant * 1000)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant;
  };
  const known = new Map<number, number>();
  const at = (instant: number): number => {
    const found = known.get(instant);
    if (found !== undefined) return found;
    const offset = lookUp(instant);
    known.set(instant, offset);
    return offset;
  };
  const offsetAt = (instant: number): number => {
    const day = Math.floor(instant / DAY) * DAY;
    const offset = at(day);
    return offset === at(day + DAY) ? offset : at(Math.floor(instant / 900) * 900);
  };
  return {
    /** Return how far the zone's wall clock is ahead of UTC at an instant (unix seconds), seconds. */
    offsetAt,
    /**
     * Return strictly ascending wall-clock seconds for ascending instants. In the hour repeated by a clock
     * change, times advance by one second each instead of going back.
     */
    shift(instants: readonly number[], after = Number.NEGATIVE_INFINITY): number[] {
      let last = after;
      return instants.map((instant) => {
        last = Math.max(instant + offsetAt(instant), last + 1);
        return last;
      });
    },
  };
}
