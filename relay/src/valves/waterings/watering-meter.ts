import { type Static, Type } from "typebox";

/** State of a linked flow meter when the water started. */
export const MeterStart = Type.Object({
  sensorId: Type.String(),
  /** Its total, litres. */
  litres: Type.Number(),
});
export type MeterStart = Static<typeof MeterStart>;

/** A meter reading from a sensor: its total in litres, and its time (ms UTC). */
export interface MeterReading {
  readonly litres: number;
  readonly at: number;
}

/** Return the meter reading in a sensor's value; null without one. */
export function meterReading(sensor: Readonly<Record<string, unknown>> | undefined): MeterReading | null {
  const { reading, at } = sensor ?? {};
  if (typeof reading !== "object" || reading === null || !("flowmeter" in reading)) return null;
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  const litres = reading.flowmeter;
  return typeof litres === "number" && !Number.isNaN(time) ? { litres, at: time } : null;
}

/**
 * Return the litres of a watering. `wait` while the meter has not reported since the end. Null if the meter
 * is silent or its total decreased, for example after an exchange.
 *
 * @param final stop waiting: use the last total read while the water ran, which may be incomplete
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
