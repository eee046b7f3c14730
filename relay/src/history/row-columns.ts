import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { LogEntry, measurementsOf } from "@mulkko/shared/entities/log-entry";
import { mend } from "@mulkko/shared/schema/mend";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { RowTimes } from "../account/time-ahead.ts";
import type { BucketGatherer } from "./buckets.ts";
import type { Span } from "./slices.ts";

/**
 * The answer to a range: rows with statistics, or bare; a "not shown" answer may be empty. Rows are
 * validated one by one.
 */
export const RawRange = Type.Union([
  Type.Array(Type.Unknown()),
  Type.Object({ data: Type.Array(Type.Unknown()) }, { additionalProperties: true }),
  Type.Null(),
]);
export type RawRange = Static<typeof RawRange>;

/** The packed rows of one slice: times in ms UTC, and one value per field and row, NaN if it is missing. */
export interface RowColumns {
  readonly at: Float64Array;
  readonly fields: ReadonlyMap<string, Float64Array>;
  readonly bytes: number;
}

// Tens of thousands of rows per request: interpreting the schema for each would block the event loop.
const rowSchema = Compile(LogEntry);
/** Number of rows processed before the event loop gets a turn. */
const ROWS_IN_ONE_GO = 4_000;
const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Estimated bytes of an empty slice, and of each field beside its values. */
const OVERHEAD = 200;

const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const rowsOf = (answer: RawRange): readonly unknown[] => {
  if (answer === null) return [];
  return Array.isArray(answer) ? answer : answer.data;
};

/** Return a valid row, or the interpretation of one with an odd field, such as a time as a number (ROW-1). */
function rowOf(row: unknown): LogEntry | null {
  if (rowSchema.Check(row)) return row;
  const mended = mend(LogEntry, row);
  return mended.ok ? mended.value : null;
}

/** Pack an answer's rows within the span. Invalid rows and rows from the future are skipped. */
export async function columnsOf(answer: RawRange, span: Span, rowTimes: RowTimes): Promise<RowColumns> {
  const rows: LogEntry[] = [];
  let processed = 0;
  const turnOfOthers = async (): Promise<void> => {
    processed += 1;
    if (processed % ROWS_IN_ONE_GO === 0) await othersTurn();
  };
  for (const answered of rowsOf(answer)) {
    await turnOfOthers();
    const row = rowOf(answered);
    if (row !== null) rows.push(row);
  }
  const rowAts = rowTimes(rows.map(({ createdDate }) => createdDate));
  const times: number[] = [];
  const columns = new Map<string, number[]>();
  for (const [place, row] of rows.entries()) {
    await turnOfOthers();
    const at = rowAts[place] ?? null;
    // Rows at the border of two slices are in both answers.
    if (at === null || at < span.from || at >= span.to) continue;
    const index = times.push(at) - 1;
    for (const [name, value] of Object.entries(measurementsOf(row))) {
      if (value === null || !isFieldName(name)) continue;
      const column = columns.get(name) ?? [];
      columns.set(name, column);
      while (column.length < index) column.push(Number.NaN);
      column[index] = value;
    }
  }
  const packed = [...columns].map(([name, values]): [string, Float64Array] => {
    const column = new Float64Array(times.length).fill(Number.NaN);
    column.set(values);
    return [name, column];
  });
  const cells = times.length * (packed.length + 1);
  return {
    at: Float64Array.from(times),
    fields: new Map(packed),
    bytes: cells * BYTES + (packed.length + 1) * OVERHEAD,
  };
}

/** Join the rows of several slices. */
export function joinColumns(parts: readonly RowColumns[]): RowColumns {
  const length = parts.reduce((sum, { at }) => sum + at.length, 0);
  const at = new Float64Array(length);
  const fields = new Map<string, Float64Array>();
  let offset = 0;
  for (const part of parts) {
    at.set(part.at, offset);
    for (const [name, values] of part.fields) {
      const column = fields.get(name) ?? new Float64Array(length).fill(Number.NaN);
      fields.set(name, column);
      column.set(values, offset);
    }
    offset += part.at.length;
  }
  return { at, fields, bytes: length * (fields.size + 1) * BYTES + (fields.size + 1) * OVERHEAD };
}

/** Add packed rows to their buckets. */
export function gatherColumns({ at, fields }: RowColumns, gatherer: BucketGatherer): void {
  at.forEach((time, index) => {
    const values: Record<string, number | null> = {};
    for (const [name, column] of fields) {
      const value = column[index];
      if (value !== undefined && !Number.isNaN(value)) values[name] = value;
    }
    gatherer.add(time, values);
  });
}
