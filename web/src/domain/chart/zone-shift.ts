import { createApiTimeZone } from "@mulkko/shared/rules/api-time";

/**
 * Shift instants to a zone's wall clock, for a chart without time zones.
 *
 * @param zone IANA name
 * @throws RangeError for a zone that the runtime does not know
 */
export function createZoneShift(zone: string) {
  const { offsetAt } = createApiTimeZone(zone);
  return {
    /**
     * Return strictly ascending wall-clock seconds for ascending instants (unix seconds). In the hour repeated
     * by a clock change, times advance by one second each instead of going back.
     */
    shift(instants: readonly number[], after = Number.NEGATIVE_INFINITY): number[] {
      let last = after;
      return instants.map((instant) => {
        last = Math.max(instant + offsetAt(instant * 1_000) / 1_000, last + 1);
        return last;
      });
    },
  };
}
