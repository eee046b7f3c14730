import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { type Database, DatabaseError, type Lane, type Param, type Queryable, type Row } from "./database.ts";

/** Most arguments of a function are 100: longer rows come in groups. */
const GROUP = 90;

const Packed = Type.Array(Type.Array(Type.Array(Type.Unknown())));
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
 * row by itself and hands it from thread to thread, which takes several times as long as finding the rows. For
 * texts, booleans, instants and finite numbers. PostgreSQL is asked for its rows as they are: it gains nothing.
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
    groups.push(`json_build_array(${columns.slice(first, first + GROUP).join(", ")})`);
  }
  const sql = `select json_agg(json_build_array(${groups.join(", ")}))::text as packed from ${from}`;
  const [answer] = await source.query<{ packed: string | null }>(sql, params, lane);
  if (!answer || answer.packed === null) return [];
  const names = columns.map((column) => column.replaceAll('"', ""));
  const isTime = columns.map((column) => times.includes(column));
  return readPacked(answer.packed).map((row) => {
    const made: Record<string, unknown> = {};
    let place = 0;
    for (const group of row) {
      for (const value of group) {
        const name = names[place] ?? "";
        made[name] = isTime[place] && typeof value === "string" ? Date.parse(value) : value;
        place += 1;
      }
    }
    // The caller names the row type, as of any statement: the columns are its proof.
    return made as T;
  });
}
