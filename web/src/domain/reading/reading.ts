import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { fieldAs } from "@mulkko/shared/catalogue/registry";
import type { LiveReading } from "@mulkko/shared/live/devices";
import { compassPoint, formatWithUnit, MISSING, type NumberFormat } from "@mulkko/shared/rules/format";
import type { TFunction } from "i18next";

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

/**
 * Return the text of a measurement and its unit as a person reads them: 21.7 and °C, 4,590.1 and m³,
 * west-southwest and 247°. A missing value is `--` without a unit.
 *
 * @param value in API units
 */
export function shownReading(
  field: FieldSpec,
  value: number | null | undefined,
  where: "card" | "log",
  t: TFunction<"common">,
): { text: string; unit: string } {
  const spec = fieldAs(field, value);
  const format = fieldFormat(spec, where);
  if (typeof value !== "number" || !Number.isFinite(value)) return { text: MISSING, unit: "" };
  if (spec.circular && spec.unit === "°")
    return { text: t(`compass.${compassPoint(value)}`), unit: `${Math.round(value)}°` };
  return formatWithUnit(value, format, spec.unit);
}
