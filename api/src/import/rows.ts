import { readFields } from "../decode/fields.ts";
import type { Reading } from "../history/reading.ts";
import { convertField } from "../ingest/lorawan/convert.ts";
import type { CsvRow } from "./csv.ts";
import type { Mapping } from "./mapping.ts";
import type { FindDevice, Plan, PlannedSensor } from "./plan.ts";
import type { Rejection } from "./report.ts";

/** Parse a cell as a number, or keep its text. */
type CellReader = (text: string) => unknown;

const GROUPED: Readonly<Record<NonNullable<Mapping["thousands"]>, RegExp>> = {
  ",": /^[+-]?\d{1,3}(,\d{3})+$/,
  ".": /^[+-]?\d{1,3}(\.\d{3})+$/,
  " ": /^[+-]?\d{1,3}([ \u00a0\u202f]\d{3})+$/,
  "'": /^[+-]?\d{1,3}(['’]\d{3})+$/,
};
const SEPARATORS = /[,. \u00a0\u202f'’]/g;
const PLAIN = /^[+-]?\d+$/;
const WITH_EXPONENT = /^([+-]?\d*)(?:([.,])(\d*))?([eE][+-]?\d{1,3})?$/;

/** Neither number nor text: the field check reports a wrong type. */
const NO_NUMBER = false;

/**
 * Read numbers in the file's format. A number in another format, e.g. `1.5` with a decimal comma, is invalid:
 * otherwise it would become another number.
 */
export function createCellReader({
  decimal = ".",
  thousands,
}: Pick<Mapping, "decimal" | "thousands">): CellReader {
  const grouped = thousands === undefined ? null : GROUPED[thousands];
  return (raw) => {
    const text = raw.trim();
    if (text === "" || !/\d/.test(text)) return text;
    const at = text.indexOf(decimal);
    const whole = at < 0 ? text : text.slice(0, at);
    const isGrouped = grouped?.test(whole) ?? false;
    const plain = (isGrouped ? whole.replaceAll(SEPARATORS, "") : whole) + (at < 0 ? "" : text.slice(at));
    const parts = WITH_EXPONENT.exec(plain);
    if (!parts) return /^[+-]?[\d.,' ]+$/.test(text) ? NO_NUMBER : text;
    const [, integer = "", sign, fraction = "", exponent = ""] = parts;
    if (sign !== undefined && sign !== decimal) return NO_NUMBER;
    if (!PLAIN.test(integer) && !/\d/.test(fraction)) return text;
    const number = Number(`${integer}.${fraction || "0"}${exponent}`);
    return Number.isFinite(number) ? number : NO_NUMBER;
  };
}

/** Result of a row. */
export interface RowOutcome {
  readonly readings: readonly Reading[];
  /** Without readings, the row is rejected; otherwise these values are missing from the readings. */
  readonly rejections: readonly Rejection[];
}

const SERIAL = /^\d{1,15}$/;

const rejected = (column: string | null, reason: Rejection["reason"], value: string): RowOutcome => ({
  readings: [],
  rejections: [{ column, reason, value }],
});

/** True for a code too, such as `0`, that means another number. */
const isWord = (words: Readonly<Record<string, number>> = {}, text: string): boolean =>
  Object.keys(words).some((word) => word.trim().toLowerCase() === text.trim().toLowerCase());

export interface RowReaderDeps {
  readonly plan: Plan;
  readonly readCell: CellReader;
  readonly findDevice: FindDevice;
  /** ms since 1970 UTC; no measurement may be later. */
  readonly now: () => number;
}

/** Convert rows to readings, with the same checks as a device's message. */
export function createRowReader({
  plan,
  readCell,
  findDevice,
  now,
}: RowReaderDeps): (row: CsvRow) => RowOutcome {
  const serialIn = ({ from }: PlannedSensor, cells: readonly string[]): string =>
    from.kind === "serial" ? String(from.serial) : (cells[from.column.index] ?? "").trim();
  const deviceOf = (text: string): ReturnType<FindDevice> => {
    const device = SERIAL.test(text) ? findDevice(Number(text)) : undefined;
    return device?.kind === "sensor" ? device : undefined;
  };

  const readSensor = (sensor: PlannedSensor, cells: readonly string[], at: number): RowOutcome => {
    const converted: Record<string, unknown> = {};
    for (const { column, field } of sensor.fields) {
      const text = cells[column.index] ?? "";
      const value = convertField(field, { value: isWord(field.words, text) ? text : readCell(text) });
      if (value !== undefined) converted[field.name] = value;
    }
    const serial = serialIn(sensor, cells);
    const device = deviceOf(serial);
    if (!device) {
      const hasValues = sensor.fields.some(({ column }) => (cells[column.index] ?? "").trim() !== "");
      const column = sensor.from.kind === "column" ? sensor.from.column.name : null;
      return hasValues ? rejected(column, "unknown-serial", serial) : { readings: [], rejections: [] };
    }
    const { fields, faults } = readFields(device.type, converted);
    const rejections = sensor.fields.flatMap(({ column, field }): Rejection[] => {
      const fault = faults.find((one) => one.field === field.name);
      const value = (cells[column.index] ?? "").trim();
      if (fault) return [{ column: column.name, reason: fault.reason, value }];
      const isLost = typeof converted[field.name] === "number" && fields[field.name] === undefined;
      return isLost ? [{ column: column.name, reason: "no-field-of-type", value }] : [];
    });
    if (Object.keys(fields).length === 0) return { readings: [], rejections };
    // Received at the measurement time: an old reading must not make a device look online.
    const reading = { sensorId: device.id, at, receivedAt: at, fwversion: null, rssi: null, fields };
    return { readings: [reading], rejections };
  };

  return (row) => {
    if ("fault" in row) return rejected(null, row.fault, "");
    const { cells } = row;
    const { width, time, times, sensors } = plan;
    const hasRoom = width === null || cells.slice(width).every((cell) => cell.trim() === "");
    if (!hasRoom || (width !== null && cells.length < width)) {
      return rejected(null, "wrong-column-count", `${cells.length} columns, not ${width}`);
    }
    const text = time.map(({ index }) => (cells[index] ?? "").trim()).join(" ");
    const own = sensors.find(({ from }) => from.kind === "column");
    const series = own ? (deviceOf(serialIn(own, cells))?.id ?? "") : "";
    const measured = times.read(text, series, now());
    if (!measured.ok) return rejected(time[0]?.name ?? null, measured.reason, text);
    const outcomes = sensors.map((sensor) => readSensor(sensor, cells, measured.at));
    return {
      readings: outcomes.flatMap(({ readings }) => readings),
      rejections: outcomes.flatMap(({ rejections }) => rejections),
    };
  };
}
