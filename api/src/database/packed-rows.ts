import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { type Database, DatabaseError, type Lane, type Param, type Queryable, type Row } from "./database.ts";

/** Most arguments of a function are 100: more columns come in groups. */
const GROUP = 90;

/** Groups of columns, each the values of all rows; null where there are no rows. */
const Packed = Type.Array(Type.Array(Type.Union([Type.Null(), Type.Array(Type.Unknown())])));
const PACKED = Compile(Packed);

/** Anything that takes a statement; the lane counts where there are lanes. */
interface Source {
  readonly kind?: Database["kind"];
  query<T extends object = Row>(sql: string, params?: readonly Param[], lane?: Lane): Promise<T[]>;
}

/** A question whose rows come as one text. */
export interface PackedQuery {
  /** Columns that `from` has, as SQL; a row gets them by these names without quotes. */
  readonly columns: readonly string[];
  /** Those of them that are instants: ms since 1970 UTC in the rows. */
  readonly times?: readonly string[];
  /** What follows `from`; rows keep the order of a subselect. */
  readonly from: string;
  readonly params: readonly Param[];
  readonly lane?: Lane;
}

function readPacked(text: string): Static<typeof Packed> {
  const value: unknown = JSON.parse(text);
  if (!PACKED.Check(value)) throw new DatabaseError("rows came in another shape", "XX000", false);
  return value;
}

/**
 * Rows of a statement as one JSON text, for answers of hundreds of rows and more: PGlite decodes each field of each
 * row by itself and hands it from thread to thread, which takes several times as long as finding the rows. Column
 * by column, as how a type is written is then looked up once for each of them, and not for each value. For texts,
 * booleans, instants and finite numbers. PostgreSQL is asked for its rows as they are: it gains nothing.
 *
 * @throws DatabaseError
 */
export async function queryPacked<T extends object>(
  source: Source | Queryable,
  { columns, times = [], from, params, lane }: PackedQuery,
): Promise<T[]> {
  if ("kind" in source && source.kind === "postgres") {
    return source.query<T>(`select ${columns.join(", ")} from ${from}`, params, lane);
  }
  const groups: string[] = [];
  for (let first = 0; first < columns.length; first += GROUP) {
    const aggregates = columns.slice(first, first + GROUP).map((column) => `json_agg(${column})`);
    groups.push(`json_build_array(${aggregates.join(", ")})`);
  }
  const sql = `select json_build_array(${groups.join(", ")})::text as packed from ${from}`;
  const [answer] = await source.query<{ packed: string | null }>(sql, params, lane);
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
  // The caller names the row type, as of any statement: the columns are its proof.
  return rows as T[];
}
