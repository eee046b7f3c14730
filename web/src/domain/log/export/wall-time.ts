import { createZoneShift } from "../../chart/zone-shift.ts";

/** Return a formatter of instants (ms UTC) on a time zone's clock: `2026-11-22 09:05:30`. */
export function wallTime(zone: string): (instant: number) => string {
  const { offsetAt } = createZoneShift(zone);
  return (instant) => {
    const seconds = Math.floor(instant / 1000);
    return new Date((seconds + offsetAt(seconds)) * 1000).toISOString().slice(0, 19).replace("T", " ");
  };
}

/**
 * Name a zone by its offsets in a range (ms UTC): `Asia/Seoul (UTC+09:00)`, both if its clock changes in
 * between.
 */
export function zoneTitle(zone: string, from: number, to: number): string {
  const { offsetAt } = createZoneShift(zone);
  const offsets = [from, to].map((instant) => {
    const minutes = Math.round(offsetAt(Math.floor(instant / 1000)) / 60);
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `UTC${minutes < 0 ? "−" : "+"}${`${hours}`.padStart(2, "0")}:${`${rest}`.padStart(2, "0")}`;
  });
  return `${zone} (${[...new Set(offsets)].join(", ")})`;
}
