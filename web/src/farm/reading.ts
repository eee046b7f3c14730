import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { LiveReading } from "@mulkko/shared/live/devices";
import type { NumberFormat } from "@mulkko/shared/rules/format";

/** A measurement of a reading in wire units; null where it is missing or no number. */
export function readingNumber(reading: LiveReading | null | undefined, field: string): number | null {
  const value = reading?.[field];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** How a field is shown: on widget cards (`card`), where temperature is a whole number, or elsewhere. */
export function fieldFormat(field: FieldSpec, where: "card" | "log"): NumberFormat {
  const decimals = where === "card" ? (field.widgetDecimals ?? field.decimals) : field.decimals;
  return field.scale === undefined ? { decimals } : { decimals, scale: field.scale };
}
