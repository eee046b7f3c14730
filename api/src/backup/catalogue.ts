import type { Queryable } from "../database/database.ts";

/** A table in the database catalogue; a partitioned table counts once, as a whole. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Its range partitions, with the bound as the catalogue spells it. */
  readonly partitions: readonly Partition[];
}

export interface Column {
  readonly name: string;
  /** As PostgreSQL spells it, e.g. `double precision`. */
  readonly type: string;
  /** True for a column whose values come from its own sequence. */
  readonly counts: boolean;
}

export interface Partition {
  readonly name: string;
  readonly bound: string;
}

/** The table of applied migrations. */
export const MIGRATIONS_TABLE = "schema_migration";

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface ColumnRow extends Column {
  readonly table: string;
}

const COLUMNS = `
  select t.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    pg_get_serial_sequence(quote_ident(t.relname), a.attname) is not null as counts
  from pg_class t join pg_attribute a on a.attrelid = t.oid
  where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by t.relname, a.attnum`;

const PARTITIONS = `
  select parent.relname as "table", part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bound
  from pg_inherits join pg_class parent on parent.oid = inhparent join pg_class part on part.oid = inhrelid
  where parent.relnamespace = current_schema()::regnamespace and part.relispartition
  order by part.relname`;

const REFERENCES = `
  select distinct child.relname as child, parent.relname as parent
  from pg_constraint c join pg_class child on child.oid = c.conrelid join pg_class parent on parent.oid = c.confrelid
  where child.relnamespace = current_schema()::regnamespace and c.contype = 'f' and c.conrelid <> c.confrelid`;

/** Sort tables so that each follows those it references. @throws Error on circular references */
function inOrder(tables: readonly Table[], needs: ReadonlyMap<string, ReadonlySet<string>>): Table[] {
  const placed = new Set<string>();
  const ordered: Table[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const free = rest.filter(({ name }) => [...(needs.get(name) ?? [])].every((one) => placed.has(one)));
    if (free.length === 0)
      throw new Error(`tables refer to each other: ${rest.map(({ name }) => name).join(", ")}`);
    for (const table of free) placed.add(table.name);
    ordered.push(...free);
    rest = rest.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

/**
 * Return all tables of the schema except the migrations table, in the order in which rows may be inserted.
 *
 * @param only names; the others are left out
 */
export async function readTables(database: Queryable, only?: ReadonlySet<string>): Promise<Table[]> {
  const columns = await database.query<ColumnRow>(COLUMNS);
  const partitions = await database.query<Partition & { readonly table: string }>(PARTITIONS);
  const references = await database.query<{ child: string; parent: string }>(REFERENCES);
  const names = [...new Set(columns.map(({ table }) => table))].filter(
    (name) => name !== MIGRATIONS_TABLE && (only === undefined || only.has(name)),
  );
  const tables = names.map((name) => ({
    name,
    columns: columns
      .filter(({ table }) => table === name)
      .map((column) => ({ name: column.name, type: column.type, counts: column.counts })),
    partitions: partitions
      .filter(({ table }) => table === name)
      .map((partition) => ({ name: partition.name, bound: partition.bound })),
  }));
  const needs = new Map<string, Set<string>>();
  for (const { child, parent } of references) {
    if (!names.includes(child) || !names.includes(parent)) continue;
    needs.set(child, (needs.get(child) ?? new Set()).add(parent));
  }
  return inOrder(tables, needs);
}

/** Return the names of all tables of the schema, also an operator's, except the migrations table. */
export async function readTableNames(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
       and relkind in ('r', 'p', 'f') and not relispartition and relname <> $1 order by relname`,
    [MIGRATIONS_TABLE],
  );
  return rows.map(({ name }) => name);
}

/** Use the same text format in both databases: values are written to and read from the file as text. */
export async function spellAlike(tx: Queryable): Promise<void> {
  const settings = {
    timezone: "UTC",
    datestyle: "ISO, YMD",
    intervalstyle: "postgres",
    bytea_output: "hex",
    extra_float_digits: "1",
  };
  for (const [name, value] of Object.entries(settings)) {
    await tx.query("select set_config($1, $2, true)", [name, value]);
  }
}
