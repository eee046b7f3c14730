import { type Static, Type } from "typebox";

/** A linked flow meter as it stood when the water began to run. */
export const MeterStart = Type.Object({
  sensorId: Type.String(),
  /** Its total, litres. */
  litres: Type.Number(),
});
export type MeterStart = Static<typeof MeterStart>;

/** What a sensor's key says of a meter: its total in litres, and when it was read (ms UTC). */
export interface MeterReading {
  readonly litres: number;
  readonly at: number;
}

/** The meter reading in a sensor's value; null where there is none. */
export function meterReading(sensor: Readonly<Record<string, unknown>> | undefined): MeterReading | null {
  const { reading, at } = sensor ?? {};
  if (typeof reading !== "object" || reading === null || !("flowmeter" in reading)) return null;
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  const litres = reading.flowmeter;
  return typeof litres === "number" && !Number.isNaN(time) ? { litres, at: time } : null;
}

/**
 * Litres that ran through: `wait` while the meter has not spoken since the end, null where it cannot be told: the
 * meter is silent, or its total went back, as when it was exchanged.
 *
 * @param final nobody waits any longer: what was read while the water ran is taken, a part of the truth
 */
export function litresOf(
  start: MeterStart,
  reading: MeterReading | null,
  run: { readonly from: number; readonly to: number },
  final: boolean,
): number | null | "wait" {
  const isAfter = reading !== null && reading.at >= run.to;
  if (!isAfter && !final) return "wait";
  if (reading === null || reading.at < run.from) return null;
  const litres = reading.litres - start.litres;
  return litres < 0 ? null : Math.round(litres * 1_000) / 1_000;
}
