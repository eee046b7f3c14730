import { setTimeout as wait } from "node:timers/promises";
import type { Queryable } from "../database/database.ts";
import { knownMigrations, type Migration, readMigration } from "../database/migrate.ts";
import { MIGRATIONS_TABLE, quoted, readTableNames, readTables, type Table } from "./catalogue.ts";
import { BackupError, type Head, type TableLine } from "./format.ts";

/** @throws BackupError where only a newer version of this program knows the schema of the backup */
export async function refuseNewerSchema({ schema }: Head): Promise<void> {
  const newest = (await knownMigrations()).at(-1)?.number ?? 0;
  if (schema <= newest) return;
  throw new BackupError(
    `The backup has schema ${schema}, but this version knows ${newest} at most: restore it with the newer version of Mulkko.`,
  );
}

async function hasTable(tx: Queryable, name: string): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>("select to_regclass($1) is not null as found", [name]);
  return row?.found === true;
}

/** Looks for other connections, and ms between two: PostgreSQL lists a closed one a moment longer. */
const LOOKS = 10;
const LOOK_EVERY_MS = 200;

/** Return the number of other connections to the database that stay open. */
async function countOthers(tx: Queryable): Promise<number> {
  for (let look = 1; ; look += 1) {
    const [others] = await tx.query<{ count: number }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and usename = current_user and backend_type = 'client backend'
         and pid <> pg_backend_pid()`,
    );
    const count = others?.count ?? 0;
    if (count === 0 || look === LOOKS) return count;
    await wait(LOOK_EVERY_MS);
    // A transaction sees one state of the activity until this.
    await tx.query("select pg_stat_clear_snapshot()");
  }
}

/**
 * @throws BackupError where the database belongs to another program, is in use, or has accounts that must
 * stay
 */
export async function refuseWhatIsThere(
  tx: Queryable,
  { file, replace }: { readonly file: string; readonly replace: boolean },
): Promise<void> {
  const tables = await readTableNames(tx);
  if (tables.length > 0 && !(await hasTable(tx, MIGRATIONS_TABLE))) {
    throw new BackupError(
      `The database contains tables that are not Mulkko's (${tables[0]}): use a separate database for Mulkko.`,
    );
  }
  const others = await countOthers(tx);
  if (others > 0) {
    throw new BackupError(`The database is in use by ${others} other connections: stop the farm API first.`);
  }
  if (replace || !(await hasTable(tx, "account"))) return;
  const [accounts] = await tx.query<{ count: number }>("select count(*) as count from account");
  if (accounts && accounts.count > 0) {
    throw new BackupError(
      `The database has ${accounts.count} accounts: ${file} would replace them and all other data. To replace them, add --replace.`,
    );
  }
}

/** Schema in which the tables of this version are made to look at them; it is never committed. */
const SCRATCH = "mulkko_own_tables";

async function makeTables(tx: Queryable, schema: number): Promise<void> {
  await tx.query(
    `create table ${MIGRATIONS_TABLE} (number int primary key, applied_at timestamptz not null default now())`,
  );
  for (const migration of await knownMigrations()) {
    if (migration.number <= schema) await apply(tx, migration);
  }
}

/**
 * Return the tables that belong to Mulkko, as its migrations make them: what a backup can be restored into.
 *
 * @param tx a transaction, which is left unchanged
 * @param schema the last migration; absent: those of this version
 * @throws DatabaseError where the role may not create a schema
 */
export async function readOwnTables(tx: Queryable, schema = Number.POSITIVE_INFINITY): Promise<Table[]> {
  await tx.query("savepoint own_tables");
  await tx.query(`create schema ${SCRATCH}`);
  await tx.query(`set local search_path = ${SCRATCH}`);
  await makeTables(tx, schema);
  const tables = await readTables(tx);
  await tx.query("rollback to savepoint own_tables");
  return tables;
}

/**
 * Separate the columns of Mulkko's tables from those that an operator has added.
 *
 * @param found the tables of the database with the names of `own`
 * @returns the tables with Mulkko's columns, and the names of the others as `table.column`
 * @throws BackupError where one of Mulkko's is missing or has another type, so that a restore would refuse it
 */
export function sortColumns(
  found: readonly Table[],
  own: readonly Table[],
): { readonly tables: readonly Table[]; readonly leftOut: readonly string[] } {
  const leftOut: string[] = [];
  for (const { name, columns } of own) {
    const table = found.find((one) => one.name === name);
    if (!table) throw new BackupError(`The database lacks Mulkko's table ${name}: no backup can be made.`);
    for (const { name: column, type } of columns) {
      const there = table.columns.find((one) => one.name === column);
      if (there?.type === type) continue;
      throw new BackupError(
        `The column ${name}.${column} is ${there?.type ?? "missing"} instead of ${type}: no backup can be made.`,
      );
    }
  }
  const tables = found.map((table): Table => {
    const model = own.find(({ name }) => name === table.name);
    const names = new Set(model?.columns.map(({ name }) => name));
    const others = table.columns.filter(({ name }) => !names.has(name));
    leftOut.push(...others.map(({ name }) => `${table.name}.${name}`));
    return { ...table, columns: table.columns.filter(({ name }) => names.has(name)) };
  });
  return { tables, leftOut };
}

/**
 * Remove everything that migrations created, but no table of an operator. Of a database that a newer version has
 * migrated it is unknown which tables are Mulkko's: all are removed.
 */
async function clear(tx: Queryable, own: readonly Table[]): Promise<void> {
  const newest = (await knownMigrations()).at(-1)?.number ?? 0;
  const [there] = (await hasTable(tx, MIGRATIONS_TABLE))
    ? await tx.query<{ number: number | null }>(`select max(number) as number from ${MIGRATIONS_TABLE}`)
    : [];
  const names = new Set(own.map(({ name }) => name));
  const found = await readTableNames(tx);
  const owned = (there?.number ?? 0) > newest ? found : found.filter((name) => names.has(name));
  const tables = [...owned, MIGRATIONS_TABLE];
  await tx.query(`drop table if exists ${tables.map(quoted).join(", ")} cascade`);
  const routines = await tx.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = current_schema()::regnamespace
       and not exists (select 1 from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')`,
  );
  for (const { name } of routines) await tx.query(`drop routine if exists ${name} cascade`);
}

/** Run each statement of a migration separately, because a transaction accepts one at a time. */
async function apply(tx: Queryable, { number, file }: Migration): Promise<void> {
  const sql = await readMigration(file);
  await tx.query(`do $restore$ begin execute $migration$${sql}$migration$; end $restore$`);
  await tx.query(`insert into ${MIGRATIONS_TABLE} (number) values ($1)`, [number]);
}

/** Recreate the tables, empty, as of a schema version. @returns them */
export async function makeSchema(tx: Queryable, schema: number): Promise<Table[]> {
  const own = await readOwnTables(tx);
  await clear(tx, own);
  await makeTables(tx, schema);
  const tables = await readTables(tx, new Set(own.map(({ name }) => name)));
  // The backup already has the rows that migrations insert, possibly changed.
  await tx.query(`truncate ${tables.map(({ name }) => quoted(name)).join(", ")}`);
  return tables;
}

/** Switch triggers: during a restore they would write rows that the backup already has. */
export async function setTriggers(tx: Queryable, tables: readonly Table[], on: boolean): Promise<void> {
  for (const { name } of tables) {
    await tx.query(`alter table ${quoted(name)} ${on ? "enable" : "disable"} trigger user`);
  }
}

/** Migrate the restored data to the newest schema. */
export async function migrateFrom(tx: Queryable, schema: number): Promise<void> {
  for (const migration of await knownMigrations()) {
    if (migration.number > schema) await apply(tx, migration);
  }
}

/** Create the partitions of a table; those of months are created with the rows that need them. */
export async function makePartitions(tx: Queryable, table: TableLine): Promise<void> {
  for (const { name, bound } of table.partitions) {
    await tx.query(`create table if not exists ${quoted(name)} partition of ${quoted(table.table)} ${bound}`);
  }
}
