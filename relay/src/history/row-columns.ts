import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { LogEntry, measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { BucketGatherer } from "../core/buckets.ts";
import type { Span } from "./log-source.ts";

/** An answer to a range: rows beside statistics, or bare; a "not shown" answer may be empty. Rows are looked at one by one. */
export const RawRange = Type.Union([
  Type.Array(Type.Unknown()),
  Type.Object({ data: Type.Array(Type.Unknown()) }, { additionalProperties: true }),
  Type.Null(),
]);
export type RawRange = Static<typeof RawRange>;

/** The rows of one slice, packed: times in ms UTC, and by field a value each, NaN where the row has none. */
export interface RowColumns {
  readonly at: Float64Array;
  readonly fields: ReadonlyMap<string, Float64Array>;
  readonly bytes: number;
}

// Tens of thousands of rows a request: interpreting the schema for each would hold up the event loop.
const rowSchema = Compile(LogEntry);
/** Rows looked at before others have their turn. */
const ROWS_IN_ONE_GO = 4_000;
const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** What an empty slice costs, and what each field costs beside its values. */
const OVERHEAD = 200;

const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const rowsOf = (answer: RawRange): readonly unknown[] => {
  if (answer === null) return [];
  return Array.isArray(answer) ? answer : answer.data;
};

/** Packs an answer's rows that lie within the span; what is no row is passed over. */
export async function columnsOf(answer: RawRange, span: Span, zone: ApiTimeZone): Promise<RowColumns> {
  const times: number[] = [];
  const columns = new Map<string, number[]>();
  let looked = 0;
  for (const row of rowsOf(answer)) {
    looked += 1;
    if (looked % ROWS_IN_ONE_GO === 0) await othersTurn();
    if (!rowSchema.Check(row)) continue;
    const at = zone.toInstant(row.createdDate);
    // Rows at the seam of two slices are in both answers.
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

/** Rows of several slices as one. */
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

/** Puts packed rows into their buckets. */
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
