import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { LiveReading } from "@mulkko/shared/live/devices";
import { MISSING, type NumberFormat } from "@mulkko/shared/rules/format";

/** Return a measurement of a reading in API units; null if it is missing or not a number. */
export function readingNumber(reading: LiveReading | null | undefined, field: string): number | null {
  const value = reading?.[field];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Return the number format of a field: on widget cards (`card`) temperatures are whole numbers. */
export function fieldFormat(field: FieldSpec, where: "card" | "log"): NumberFormat {
  const decimals = where === "card" ? (field.widgetDecimals ?? field.decimals) : field.decimals;
  return field.scale === undefined ? { decimals } : { decimals, scale: field.scale };
}

/** Return the firmware version in a reading; `--` if the device has sent none. */
export const firmwareOf = (reading: LiveReading | null | undefined): string =>
  `${reading?.fwversion ?? MISSING}`;
