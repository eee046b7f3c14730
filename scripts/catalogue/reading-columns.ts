import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const MIGRATIONS = "api/migrations";
/** Tables with one column for each field of the catalogue. */
export const VALUE_TABLES = ["reading", "latest"] as const;
/** Tables with several columns for each field: its count, sum, least … in an hour or a day. */
export const SUM_TABLES = ["reading_hour", "reading_day"] as const;

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const CREATE = /^create table (?:if not exists )?(\w+) \(([\s\S]*)\)/;
const RENAME = /^alter table (\w+) rename to (\w+)/;
const DROP = /^drop table (\w+)/;
const ALTER = /^alter table (\w+)\s/;
const ADDED = /add column (?:if not exists )?"?(\w+)"? ([a-z ]+)/g;
const CREATED = /"?(\w+)"? (int|double precision|timestamptz)/g;

type Columns = ReadonlyMap<string, string>;

/** Return the columns with a number or a time of each table, as the migrations leave them. */
async function columnsOfTables(root: string): Promise<Map<string, Columns>> {
  const tables = new Map<string, Columns>();
  const files = (await readdir(join(root, MIGRATIONS))).filter((file) => file.endsWith(".sql")).toSorted();
  for (const file of files) {
    const text = (await readFile(join(root, MIGRATIONS, file), "utf8")).replaceAll(/--.*$/gm, "");
    for (const statement of text.split(";").map((part) => part.trim())) apply(tables, statement);
  }
  return tables;
}

function apply(tables: Map<string, Columns>, statement: string): void {
  const [, created, body = ""] = CREATE.exec(statement) ?? [];
  if (created !== undefined) {
    const like = /\blike (\w+)/.exec(body)?.[1] ?? "";
    const own = [...body.matchAll(CREATED)].map(([, name = "", type = ""]): [string, string] => [name, type]);
    tables.set(created, new Map([...(tables.get(like) ?? []), ...own]));
    return;
  }
  const [, from = "", to] = RENAME.exec(statement) ?? [];
  if (to !== undefined) {
    tables.set(to, tables.get(from) ?? new Map());
    tables.delete(from);
    return;
  }
  const dropped = DROP.exec(statement)?.[1];
  if (dropped !== undefined) tables.delete(dropped);
  const altered = ALTER.exec(statement)?.[1];
  if (altered === undefined) return;
  const added = [...statement.matchAll(ADDED)].map(([, name = "", type = ""]): [string, string] => [
    name,
    type.trim(),
  ]);
  tables.set(altered, new Map([...(tables.get(altered) ?? []), ...added]));
}

/** Describe a field by what decides its columns. */
export interface ColumnsOfField {
  readonly name: string;
  /** A direction, whose cosine and sine are summed too. */
  readonly circular: boolean;
}

/** Return the columns that a field needs and the migrations do not make. */
export async function missingColumns(root: string, fields: readonly ColumnsOfField[]): Promise<Column[]> {
  const tables = await columnsOfTables(root);
  const hours = tables.get("reading_hour") ?? new Map<string, string>();
  /** The parts of a field are those of one that every database has. */
  const partsLike = (model: string): [string, string][] =>
    [...hours].flatMap(([name, type]) =>
      name.startsWith(`${model}_`) ? [[name.slice(model.length), type]] : [],
    );
  return fields.flatMap(({ name, circular }) => {
    const parts = partsLike(circular ? "windD" : "temperature");
    const needed: Column[] = [
      ...VALUE_TABLES.map((table) => ({ table, name, type: "double precision" })),
      ...SUM_TABLES.flatMap((table) =>
        parts.map(([part, type]) => ({ table, name: `${name}${part}`, type })),
      ),
    ];
    return needed.filter((column) => tables.get(column.table)?.has(column.name) !== true);
  });
}

/** Return the statements that add columns, one for each table. */
export function addColumns(columns: readonly Column[]): string {
  return [...Map.groupBy(columns, ({ table }) => table)]
    .map(([table, own]) => {
      const lines = own.map(({ name, type }) => `  add column "${name}" ${type}`);
      return `alter table ${table}\n${lines.join(",\n")};\n`;
    })
    .join("\n");
}
