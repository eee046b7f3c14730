import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { CIRCULAR, type FieldRollup } from "./aggregate.ts";
import { columnOfNumbers, mostBytesOf, readColumn } from "./number-column.ts";

/** Packed parts of each field of an hour, in this order: everything that an answer needs. */
const PARTS = ["count", "sum", "min", "max", "last", "spread"] as const;
const CIRCULAR_PARTS = [...PARTS, "cos", "sin"] as const;

export type PackedPart = (typeof CIRCULAR_PARTS)[number];

export const packedPartsOf = (name: FieldName): readonly PackedPart[] =>
  CIRCULAR.has(name) ? CIRCULAR_PARTS : PARTS;

/** An hour of a day that has readings. */
export interface HourOfDay {
  /** 0 to 23, of UTC. */
  readonly hour: number;
  readonly rows: number;
  readonly fields: ReadonlyMap<FieldName, Pick<FieldRollup, PackedPart>>;
}

/**
 * Columns of numbers over the hours of a day that have them. They are reused: new columns for each day of
 * several years would dominate garbage collection.
 */
export interface HourColumns {
  /** Number of hours. */
  length: number;
  /** The first `length` entries are hours, 0 to 23, in order. */
  readonly hours: Uint8Array;
  /** For each column, one number per hour. */
  readonly columns: readonly Float64Array[];
}

const HOURS = 24;

/** Allocate the columns of a field. */
export const hourColumns = (): HourColumns => ({
  length: 0,
  hours: new Uint8Array(HOURS),
  columns: CIRCULAR_PARTS.map(() => new Float64Array(HOURS)),
});

/** Bytes of the bit set of hours, ahead of the columns. */
const BITS_BYTES = 3;

function packColumns(hours: readonly number[], columns: readonly (readonly number[])[]): string {
  const bits = Buffer.alloc(BITS_BYTES);
  bits.writeUIntLE(
    hours.reduce((sum, hour) => sum | (1 << hour), 0),
    0,
    BITS_BYTES,
  );
  return Buffer.concat([bits, ...(hours.length > 0 ? columns.map(columnOfNumbers) : [])]).toString("base64");
}

/** Buffer for one segment at a time. */
const bytes = Buffer.alloc(BITS_BYTES + CIRCULAR_PARTS.length * mostBytesOf(HOURS));
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function unpackColumns(text: string, count: number, into: HourColumns): void {
  bytes.write(text, "base64");
  const bits = bytes.readUIntLE(0, BITS_BYTES);
  let length = 0;
  for (let hour = 0; hour < HOURS; hour += 1) {
    if ((bits & (1 << hour)) !== 0) into.hours[length++] = hour;
  }
  into.length = length;
  if (length === 0) return;
  let at = BITS_BYTES;
  for (const column of into.columns.slice(0, count)) at = readColumn(view, at, column, length);
}

/** Separator around each segment of a packed day; it occurs neither in base 64 nor in a field's name. */
const NEXT = ";";
const IS = ":";
const ROWS = "rows";

const piece = (name: string, columns: string): string => `${NEXT}${name}${IS}${columns}`;

/**
 * Pack the hours of a day into one text, `;rows:…;ph:…;temperature:…;`, so that one database row holds them.
 *
 * @param hours in order
 */
export function packDay(hours: readonly HourOfDay[]): string {
  const all = hours.map(({ hour }) => hour);
  const names = [...new Set(hours.flatMap(({ fields }) => [...fields.keys()]))].sort();
  const pieces = names.map((name) => {
    const own = hours.flatMap(({ hour, fields }) => {
      const field = fields.get(name);
      return field ? [{ hour, field }] : [];
    });
    const columns = packedPartsOf(name).map((part) => own.map(({ field }) => field[part] ?? 0));
    const ownHours = own.map(({ hour }) => hour);
    return piece(name, packColumns(ownHours, columns));
  });
  return `${piece(ROWS, packColumns(all, [hours.map(({ rows }) => rows)]))}${pieces.join("")}${NEXT}`;
}

function unpackPiece(text: string, name: string, count: number, into: HourColumns): void {
  const before = piece(name, "");
  const found = text.indexOf(before);
  into.length = 0;
  if (found < 0) return;
  const from = found + before.length;
  unpackColumns(text.slice(from, text.indexOf(NEXT, from)), count, into);
}

/**
 * Return the readings of each hour of a packed day in the first column. @throws RangeError for any other text
 */
export const unpackRows = (text: string, into: HourColumns): void => unpackPiece(text, ROWS, 1, into);

/**
 * Return the hours of one field, in the columns of {@link packedPartsOf}. @throws RangeError for any other
 * text
 */
export const unpackField = (text: string, name: FieldName, into: HourColumns): void =>
  unpackPiece(text, name, packedPartsOf(name).length, into);
