import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import {
  type Database,
  DatabaseError,
  type Param,
  type Queryable,
  type QueryQueue,
  type Row,
} from "./database.ts";

type Element = string | number | null;

const elementOf = (value: Element): string => {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `"${value.replace(/["\\]/g, "\\$&")}"`;
};

/**
 * Format a column of values as a PostgreSQL array: one parameter for any number of values, on both databases.
 */
export const arrayLiteral = (values: readonly Element[]): string => `{${values.map(elementOf).join(",")}}`;

/** A function takes at most 100 arguments: more columns are grouped. */
const GROUP = 90;

/** Groups of columns, each with the values of all rows; null where there are no rows. */
const Packed = Type.Array(Type.Array(Type.Union([Type.Null(), Type.Array(Type.Unknown())])));
const PACKED = Compile(Packed);

/** A source of rows; the queue counts where there are queues. */
interface Source {
  readonly kind?: Database["kind"];
  query<T extends object = Row>(sql: string, params?: readonly Param[], queue?: QueryQueue): Promise<T[]>;
}

/** A query whose rows return as one text. */
export interface PackedQuery {
  /** Columns of `from`, as SQL; a row has them under these names without quotes. */
  readonly columns: readonly string[];
  /** Columns with instants: ms since 1970 UTC in the rows. */
  readonly times?: readonly string[];
  /** The SQL after `from`; rows keep the order of a subselect. */
  readonly from: string;
  readonly params: readonly Param[];
  readonly queue?: QueryQueue;
}

function readPacked(text: string): Static<typeof Packed> {
  const value: unknown = JSON.parse(text);
  if (!PACKED.Check(value))
    throw new DatabaseError("the database returned rows in an unexpected shape", "XX000");
  return value;
}

/**
 * Return rows of a statement as one JSON text, for answers of hundreds of rows and more. PGlite decodes each
 * field of each row and passes it between threads, several times slower than finding the rows. Values are
 * packed by column, so that each type's format is looked up once per column.
 *
 * Supports texts, booleans, instants and finite numbers. PostgreSQL returns plain rows: it gains nothing.
 *
 * @throws DatabaseError
 */
export async function queryPacked<T extends object>(
  source: Source | Queryable,
  { columns, times = [], from, params, queue }: PackedQuery,
): Promise<T[]> {
  if ("kind" in source && source.kind === "postgres") {
    return source.query<T>(`select ${columns.join(", ")} from ${from}`, params, queue);
  }
  const groups: string[] = [];
  for (let first = 0; first < columns.length; first += GROUP) {
    const aggregates = columns.slice(first, first + GROUP).map((column) => `json_agg(${column})`);
    groups.push(`json_build_array(${aggregates.join(", ")})`);
  }
  const sql = `select json_build_array(${groups.join(", ")})::text as packed from ${from}`;
  const [answer] = await source.query<{ packed: string | null }>(sql, params, queue);
  if (!answer || answer.packed === null) return [];
  const values = readPacked(answer.packed).flat();
  const rows: Record<string, unknown>[] = (values[0] ?? []).map(() => ({}));
  for (const [place, column] of columns.entries()) {
    const name = column.replaceAll('"', "");
    const isTime = times.includes(column);
    const own = values[place] ?? [];
    for (const [index, row] of rows.entries()) {
      const value = own[index];
      row[name] = isTime && typeof value === "string" ? Date.parse(value) : value;
    }
  }
  // As in any statement, the caller names the row type; the columns produce it.
  return rows as T[];
}
