import { sensorCategories, sensorTables } from "@mulkko/shared/catalogue/categories";
import { DEFAULT_FIRMWARE, type DeviceType, type FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { byName } from "../../farm/by-name.ts";
import { fieldFormat, readingNumber } from "../../farm/reading.ts";

/** Rows of a page. */
export const PAGE_SIZE = 50;

/** One sensor as it was when the table was put in order; its cells follow it live. */
export interface SensorRow {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  /** By field, in wire units; null where it is missing. */
  readonly values: Readonly<Record<string, number | null>>;
  readonly firmware: string;
  /** When the newest value was measured; ISO. */
  readonly at: string | null;
  /** The device's last sign of life; ISO. */
  readonly heardAt: string | null;
}

/** Firmware of a reading; a device that does not say has the first one. */
export function firmwareOf(value: SensorValue): string {
  return `${value.reading?.fwversion ?? DEFAULT_FIRMWARE}`;
}

/** The type's columns of measurements. A type that nobody knows shows what its newest readings hold. */
export function measuredColumns(type: DeviceType): FieldSpec[] {
  return type.columns.map((name) => fieldOf(type, name));
}

/** The catalogue's entry for a type, by a sample of its readings where nobody knows it. */
export function tableType(sensors: ReadonlyMap<string, SensorValue>, type: string): DeviceType {
  const sample = [...sensors.values()].find(({ info, reading }) => info.deviceType === type && reading);
  return deviceTypeOf(type, sample?.reading ?? {});
}

/** The table in which a type's sensors stand, named as one of its types. */
export function tableOf(type: string): string {
  return sensorTables([type])[0]?.name ?? type;
}

/** The tables that a type's category opens, those with sensors; at least the type's own. */
export function tablesOf(sensors: ReadonlyMap<string, SensorValue>, type: string): string[] {
  const category = sensorCategories([type], false)[0]?.types ?? [type];
  const present = new Set([...sensors.values()].map(({ info }) => info.deviceType));
  const there = sensorTables(category).filter(({ types }) => types.some((each) => present.has(each)));
  return there.length === 0 ? [tableOf(type)] : there.map(({ name }) => name);
}

/** All sensors of a table, by name. */
export function sensorRows(sensors: ReadonlyMap<string, SensorValue>, type: DeviceType): SensorRow[] {
  const rows: SensorRow[] = [];
  for (const [id, value] of sensors) {
    const { info, reading, at, heardAt } = value;
    if (tableOf(info.deviceType) !== type.type) continue;
    rows.push({
      id,
      name: deviceName(info),
      serial: `${info.serial}`,
      deviceType: info.deviceType,
      description: info.description?.trim() ?? "",
      values: Object.fromEntries(type.columns.map((name) => [name, readingNumber(reading, name)])),
      firmware: firmwareOf(value),
      at,
      heardAt,
    });
  }
  return rows.sort(byName);
}

/** Rows whose name, serial or description holds a text. */
export function foundRows(rows: readonly SensorRow[], text: string): readonly SensorRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(({ name, serial, description }) =>
    [name, serial, description].some((word) => word.toLowerCase().includes(wanted)),
  );
}

/** A value as the table shows it: in shown units, with the field's digits; null where it is missing. */
export function shownNumber(value: number | null, field: FieldSpec): number | null {
  const { decimals, scale = 1 } = fieldFormat(field, "log");
  return value === null ? null : Number((value * scale).toFixed(decimals));
}
