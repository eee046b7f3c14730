import { type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { numberOfText } from "@mulkko/shared/rules/number-text";
import type { KnownDevice } from "../devices/device-index.ts";
import type { CompiledField } from "../ingest/lorawan/compile-profile.ts";
import { fitsField } from "../ingest/lorawan/units.ts";
import { type Column, type FieldRule, ImportError, type Mapping, type SensorRule } from "./mapping.ts";
import { createRowTimes, createWallClock, type RowTimes, timeReaderOf, type WallClock } from "./row-time.ts";

/** A mapped column of the file. */
export interface PlannedColumn {
  /** Index in the row; the first is 0. */
  readonly index: number;
  /** Name in reports. */
  readonly name: string;
}

export interface PlannedField {
  readonly column: PlannedColumn;
  /** Field that reads the member `value`. */
  readonly field: CompiledField;
}

export interface PlannedSensor {
  readonly from: { kind: "serial"; serial: number } | { kind: "column"; column: PlannedColumn };
  readonly fields: readonly PlannedField[];
}

/** A mapping applied to a file's header. */
export interface Plan {
  /** Columns of every row; null where no header defines them. */
  readonly width: number | null;
  readonly time: readonly PlannedColumn[];
  readonly times: RowTimes;
  readonly sensors: readonly PlannedSensor[];
}

/** Look up a registered sensor. */
export type FindDevice = (
  serial: number,
) => Pick<KnownDevice, "id" | "kind" | "type" | "accountId"> | undefined;

const wrong = (sentence: string): ImportError => new ImportError("mapping", sentence);
const sameText = (text: string): string => text.trim().normalize("NFC");

/** Compare numeric-looking cells as numbers. */
const sentinelOf = (value: number | string): number | string =>
  typeof value === "string" ? (numberOfText(value) ?? value) : value;

function columnFinder(header: readonly string[] | null): (column: Column) => PlannedColumn {
  const names = header?.map(sameText);
  return (column) => {
    if (typeof column === "number") {
      if (header && column > header.length) {
        throw wrong(`There is no column ${column}: the header has ${header.length} columns.`);
      }
      return { index: column - 1, name: header?.[column - 1]?.trim() || `column ${column}` };
    }
    if (!names) throw wrong(`Without a header, name columns by number, not as "${column}".`);
    const name = sameText(column);
    const index = names.indexOf(name);
    if (index < 0) throw wrong(`The header has no column "${column}".`);
    if (names.includes(name, index + 1)) {
      throw wrong(`The header has the column "${column}" twice: use its number instead.`);
    }
    return { index, name: name || `column ${index + 1}` };
  };
}

function planField(
  name: string,
  rule: FieldRule,
  missing: Mapping["missing"],
  find: (column: Column) => PlannedColumn,
): PlannedField {
  if (!isFieldName(name)) throw wrong(`"${name}" is not a field of a reading.`);
  const { column, ...rest } = rule;
  if (rule.unit && !fitsField(rule.unit, name)) throw wrong(`${rule.unit} is not a unit of ${name}.`);
  return {
    column: find(column),
    field: {
      ...rest,
      missing: [...(missing ?? []), ...(rule.missing ?? [])].map(sentinelOf),
      name,
      path: [{ kind: "member", name: "value" }],
      divisor: null,
    },
  };
}

function checkSensor(serial: number, names: readonly FieldName[], findDevice: FindDevice): void {
  const device = findDevice(serial);
  if (device?.kind !== "sensor") throw wrong(`No sensor has the serial ${serial}.`);
  const own = deviceTypeOf(device.type).fields;
  const foreign = names.find((name) => own.length > 0 && !own.some((field) => field.name === name));
  if (foreign) throw wrong(`The sensor ${serial} is a ${device.type}, which has no field ${foreign}.`);
}

function planSensor(
  rule: SensorRule,
  mapping: Mapping,
  find: (column: Column) => PlannedColumn,
  findDevice: FindDevice,
): PlannedSensor {
  const { serial, serialColumn } = rule;
  const fields = Object.entries(rule.fields).map(([name, field]) =>
    planField(name, field, mapping.missing, find),
  );
  if (serial !== undefined && serialColumn === undefined) {
    checkSensor(
      serial,
      fields.map(({ field }) => field.name),
      findDevice,
    );
    return { from: { kind: "serial", serial }, fields };
  }
  if (serialColumn !== undefined && serial === undefined) {
    return { from: { kind: "column", column: find(serialColumn) }, fields };
  }
  throw wrong("Each of the sensors needs either a serial or a serialColumn.");
}

function planTimes({ time }: Mapping): RowTimes {
  const formats = [time.format].flat();
  const readers = formats.map((format) => {
    const reader = timeReaderOf(format);
    if (!reader) throw wrong(`"${format}" is not a time format.`);
    return reader;
  });
  let clock: WallClock | null = null;
  if (time.zone !== undefined) {
    clock = createWallClock(time.zone);
    if (!clock) throw wrong(`"${time.zone}" is not a known time zone.`);
  } else if (readers.some(({ hasZone }) => !hasZone)) {
    throw wrong("The times have no time zone: set time.zone.");
  }
  return createRowTimes(readers, clock, time.order ?? "ascending");
}

/**
 * @param header null where the file has none
 * @throws ImportError
 */
export function planImport(mapping: Mapping, header: readonly string[] | null, findDevice: FindDevice): Plan {
  const find = columnFinder(header);
  if (mapping.thousands !== undefined && mapping.thousands === (mapping.decimal ?? ".")) {
    throw wrong("The decimal sign and the one between thousands are the same.");
  }
  return {
    width: header?.length ?? null,
    time: mapping.time.columns.map(find),
    times: planTimes(mapping),
    sensors: mapping.sensors.map((rule) => planSensor(rule, mapping, find, findDevice)),
  };
}
