import { createZoneShift } from "../../ui/chart/zone-shift.ts";

/** Writes instants (ms UTC) as a zone's clock shows them: `2026-11-22 09:05:30`. */
export function wallTime(zone: string): (instant: number) => string {
  const { offsetAt } = createZoneShift(zone);
  return (instant) => {
    const seconds = Math.floor(instant / 1000);
    return new Date((seconds + offsetAt(seconds)) * 1000).toISOString().slice(0, 19).replace("T", " ");
  };
}
