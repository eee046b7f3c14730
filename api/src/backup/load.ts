import type { Queryable } from "../database/database.ts";
import { arrayLiteral } from "../database/packed-rows.ts";
import { quoted, spellAlike, type Table } from "./catalogue.ts";
import { BackupError, LEFT_OUT, type TableLine } from "./format.ts";
import type { Reader } from "./read.ts";
import { makePartitions, makeSchema, setTriggers } from "./schema.ts";

/** PGlite writes no checkpoint by itself, and its log would grow with every row. */
const CHECKPOINT_EVERY_ROWS = 200_000;

const unfit = (name: string): BackupError =>
  new BackupError(`The backup does not fit this version of Mulkko: its table ${name} differs.`);

/** @throws BackupError where the columns of a table differ between backup and database */
export function fitting(line: TableLine, tables: readonly Table[]): Table {
  const table = tables.find(({ name }) => name === line.table);
  const spelt = (columns: Table["columns"] | TableLine["columns"]): string =>
    [...columns]
      .map(({ name, type }) => `${name} ${type}`)
      .sort()
      .join();
  if (!table || spelt(table.columns) !== spelt(line.columns)) throw unfit(line.table);
  return table;
}

/** Return a statement with one parameter per column: an array of texts that the database parses. */
function insertSql(table: Table, line: TableLine): string {
  const typeOf = new Map(table.columns.map(({ name, type }) => [name, type]));
  const names = line.columns.map(({ name }) => name);
  return `insert into ${quoted(table.name)} (${names.map(quoted).join(", ")}) overriding system value
    select ${names.map((name, index) => `c${index}::${typeOf.get(name)}`).join(", ")}
    from unnest(${names.map((_name, index) => `$${index + 1}::text[]`).join(", ")})
      as row (${names.map((_name, index) => `c${index}`).join(", ")})`;
}

/**
 * Load the rows of a backup into a database, replacing all existing rows.
 *
 * @param tx a transaction: a failure rolls everything back
 * @param files receives each file, and the relay's store
 */
export function createLoader(
  tx: Queryable,
  { isPglite, files }: { readonly isPglite: boolean; readonly files: Pick<Reader, "file" | "relayPiece"> },
): Reader & { finish(): Promise<void> } {
  let tables: readonly Table[] = [];
  let current: { readonly line: TableLine; readonly sql: string } | null = null;
  const done = new Set<string>();
  let sinceCheckpoint = 0;

  return {
    ...files,
    async head({ schema }) {
      await spellAlike(tx);
      tables = await makeSchema(tx, schema);
      await setTriggers(tx, tables, false);
    },
    async table(line) {
      const table = fitting(line, tables);
      await makePartitions(tx, line);
      current = { line, sql: insertSql(table, line) };
      done.add(table.name);
    },
    async rows(rows) {
      if (!current) throw new Error("rows precede their table");
      const { line, sql } = current;
      await tx.query(
        sql,
        line.columns.map((_column, index) => arrayLiteral(rows.map((row) => row[index] ?? null))),
      );
      sinceCheckpoint += rows.length;
      if (isPglite && sinceCheckpoint >= CHECKPOINT_EVERY_ROWS) {
        sinceCheckpoint = 0;
        await tx.query("checkpoint");
      }
    },
    async counters(counters) {
      for (const { table, column, last, isUsed } of counters) {
        if (!tables.some(({ name, columns }) => name === table && columns.some((one) => one.name === column)))
          throw unfit(table);
        await tx.query("select setval(pg_get_serial_sequence(quote_ident($1), $2), $3, $4)", [
          table,
          column,
          last,
          isUsed,
        ]);
      }
    },
    /** @throws BackupError where the backup lacks a table of the schema */
    async finish() {
      const missing = tables.find(({ name }) => !done.has(name) && !LEFT_OUT.has(name));
      if (missing) throw unfit(missing.name);
      await setTriggers(tx, tables, true);
    },
  };
}
