/**
 * Limit of assigned times ahead of the clock, ms. A device that sends more than a reading per millisecond for
 * longer is refused.
 */
const MAX_AHEAD_MS = 60_000;

/**
 * Assign times to readings without one: their arrival, strictly increasing per sensor, so that each is
 * stored.
 */
export interface ArrivalTimes {
  /**
   * @param receivedAt ms since 1970 UTC
   * @param taken time of the sensor's newest reading, which is not reused
   * @returns ms since 1970 UTC: in order of arrival, all different
   * @throws RangeError where a sensor is too far ahead of the clock; its message is sent again
   */
  next(sensorId: string, receivedAt: number, taken: number | undefined): number;
}

export function createArrivalTimes(): ArrivalTimes {
  // Bounded by the registered sensors.
  const given = new Map<string, number>();
  return {
    next(sensorId, receivedAt, taken) {
      const last = given.get(sensorId);
      // After the clock was set back, earlier assigned times are ignored.
      const isAhead = last !== undefined && last >= receivedAt && last - receivedAt <= MAX_AHEAD_MS;
      const free = isAhead ? last + 1 : receivedAt;
      const at = free === taken ? free + 1 : free;
      if (at - receivedAt > MAX_AHEAD_MS) throw new RangeError("too many readings of one device wait");
      given.set(sensorId, at);
      return at;
    },
  };
}
