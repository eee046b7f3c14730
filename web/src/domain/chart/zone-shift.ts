import { createApiTimeZone } from "@mulkko/shared/rules/api-time";

/**
 * Create a function that shifts ascending instants (unix seconds) to a zone's wall clock, for a chart without time
 * zones. Its seconds are strictly ascending: in the hour repeated by a clock change, times advance by one second
 * each instead of going back.
 *
 * @param zone IANA name
 * @throws RangeError for a zone that the runtime does not know
 */
export function createZoneShift(zone: string) {
  const { offsetAt } = createApiTimeZone(zone);
  return (instants: readonly number[]): number[] => {
    let last = Number.NEGATIVE_INFINITY;
    return instants.map((instant) => {
      last = Math.max(instant + offsetAt(instant * 1_000) / 1_000, last + 1);
      return last;
    });
  };
}
