import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { arrivalOf, clockOf, type LatestReading, type Reading } from "../reading.ts";

/** A reading's row with all its columns. */
export interface ReadingRow extends Readonly<Partial<Record<FieldName, number | null>>> {
  readonly sensor_id: string;
  readonly at: number;
  readonly received_at: number;
  readonly fwversion: string | null;
  readonly rssi: number | null;
  readonly clock_wrong_since: number | null;
}

/** Return a catalogue field as SQL; only names of the catalogue ever reach a statement. */
export const columnOf = (name: FieldName): string => `"${name}"`;

/** Return the fields of a type that are columns; an unknown type may use all of them. */
export function fieldsOfType(deviceType: string): (FieldSpec & { readonly name: FieldName })[] {
  const own = deviceTypeOf(deviceType).fields;
  const specs: readonly FieldSpec[] = own.length > 0 ? own : Object.values(FIELDS);
  return specs.flatMap((spec) => (isFieldName(spec.name) ? [{ ...spec, name: spec.name }] : []));
}

/** Return the columns of a type's readings, for a select. */
export const columnsOf = (deviceType: string): string[] => [
  "sensor_id",
  "at",
  "received_at",
  "fwversion",
  "rssi",
  "clock_wrong_since",
  ...fieldsOfType(deviceType).map(({ name }) => columnOf(name)),
];

/** A row of `latest`. */
export interface LatestRow extends ReadingRow {
  /** ms since 1970 UTC of each field */
  readonly field_at: Readonly<Partial<Record<FieldName, number>>>;
  readonly arrival: number | null;
  /** ms since 1970 UTC */
  readonly back_at: number | null;
}

export function latestReadingOf(row: LatestRow): LatestReading {
  const reading = readingOf(row);
  const fieldTimes: Partial<Record<FieldName, number>> = {};
  for (const name of Object.keys(reading.fields).filter(isFieldName)) {
    const time = row.field_at[name];
    if (time !== undefined && time !== row.at) fieldTimes[name] = time;
  }
  const backAt = row.back_at === null ? {} : { backAt: row.back_at };
  return { ...reading, fieldTimes, ...arrivalOf(row.arrival), ...backAt };
}

export function readingOf(row: ReadingRow): Reading {
  const fields: Partial<Record<FieldName, number>> = {};
  for (const name of Object.keys(row)) {
    if (!isFieldName(name)) continue;
    const value = row[name];
    if (typeof value === "number") fields[name] = value;
  }
  return {
    sensorId: row.sensor_id,
    at: row.at,
    receivedAt: row.received_at,
    fwversion: row.fwversion,
    rssi: row.rssi,
    fields,
    ...clockOf(row.clock_wrong_since),
  };
}
