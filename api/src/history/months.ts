import { type Database, DatabaseError } from "../database/database.ts";

/** SQLSTATE of a row without a partition. */
const NO_PARTITION = "23514";

/** Return the start of the UTC month that is `months` after that of an instant; ms. */
export function monthOf(at: number, months = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** Create the partitions for the months of these instants, unless they exist. */
export async function makeMonths(database: Database, instants: Iterable<number>): Promise<void> {
  const months = new Set<number>();
  for (const at of instants) months.add(monthOf(at));
  for (const month of [...months].sort((a, b) => a - b)) {
    await database.query("select make_reading_month($1::timestamptz)", [new Date(month)]);
  }
}

/** Write readings; if one has no partition for its month, create it and write again. */
export async function withMonths<T>(
  database: Database,
  readings: readonly { readonly at: number }[],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== NO_PARTITION) throw error;
    await makeMonths(
      database,
      readings.map(({ at }) => at),
    );
    return await write();
  }
}

/** Return the months with a partition, oldest first. */
export async function knownMonths(database: Database): Promise<{ table: string; from: number }[]> {
  const rows = await database.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'reading'::regclass order by relname`,
  );
  return rows.flatMap(({ name }) => {
    const match = /^reading_(\d{4})_(\d{2})$/.exec(name);
    return match ? [{ table: name, from: Date.UTC(Number(match[1]), Number(match[2]) - 1, 1) }] : [];
  });
}
