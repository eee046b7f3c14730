import { sensorCategories, sensorTables } from "@mulkko/shared/catalogue/categories";
import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldAs, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { fieldFormat, firmwareOf, readingNumber } from "../../domain/reading/reading.ts";
import { byName } from "../../i18n/by-name.ts";

/** Rows of a page. */
export const PAGE_SIZE = 50;

/** Sensor at the time when the table was sorted; its cells are live. */
export interface SensorRow {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  /** By field, in API units; null if missing. */
  readonly values: Readonly<Record<string, number | null>>;
  readonly firmware: string;
  /** Time of the newest measurement; ISO. */
  readonly at: string | null;
  /** Time of the device's last report; ISO. */
  readonly heardAt: string | null;
}

/** Return the measurement columns of a type. For an unknown type they come from its newest readings. */
export function measuredColumns(type: DeviceType): FieldSpec[] {
  return type.columns.map((name) => fieldOf(type, name));
}

/** Return the catalogue's entry for a type, or one derived from sample readings of an unknown type. */
export function tableType(sensors: ReadonlyMap<string, SensorValue>, type: string): DeviceType {
  const sample = [...sensors.values()].find(({ info, reading }) => info.deviceType === type && reading);
  return deviceTypeOf(type, sample?.reading ?? {});
}

/** Return the table that contains a type, named as one of its types. */
export function tableOf(type: string): string {
  return sensorTables([type])[0]?.name ?? type;
}

/** Return the tables of a type's category that have sensors; at least the type's own. */
export function tablesOf(sensors: ReadonlyMap<string, SensorValue>, type: string): string[] {
  const category = sensorCategories([type], false)[0]?.types ?? [type];
  const present = new Set([...sensors.values()].map(({ info }) => info.deviceType));
  const there = sensorTables(category).filter(({ types }) => types.some((each) => present.has(each)));
  return there.length === 0 ? [tableOf(type)] : there.map(({ name }) => name);
}

/** Return all sensors of a table, by name. */
export function sensorRows(sensors: ReadonlyMap<string, SensorValue>, type: DeviceType): SensorRow[] {
  const rows: SensorRow[] = [];
  for (const [id, value] of sensors) {
    const { info, reading, at, heardAt } = value;
    if (tableOf(info.deviceType) !== type.type) continue;
    rows.push({
      id,
      name: deviceName(info),
      serial: `${info.serial ?? "--"}`,
      deviceType: info.deviceType,
      description: info.description?.trim() ?? "",
      values: Object.fromEntries(type.columns.map((name) => [name, readingNumber(reading, name)])),
      firmware: firmwareOf(value.reading),
      at,
      heardAt,
    });
  }
  return rows.sort(byName);
}

/** Return the rows whose name, serial or description contains a text. */
export function foundRows(rows: readonly SensorRow[], text: string): readonly SensorRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(({ name, serial, description }) =>
    [name, serial, description].some((word) => word.toLowerCase().includes(wanted)),
  );
}

/** Convert a value to display units and round it to the field's digits; null if missing. */
export function shownNumber(value: number | null, field: FieldSpec): number | null {
  const { decimals, scale = 1 } = fieldFormat(fieldAs(field, value), "log");
  return value === null ? null : Number((value * scale).toFixed(decimals));
}
