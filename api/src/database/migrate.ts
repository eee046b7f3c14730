import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Database } from "./database.ts";

const FOLDER = fileURLToPath(new URL("../../migrations/", import.meta.url));

/** The database must not be used by this version; the message is a sentence for the operator. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

export interface Migration {
  readonly number: number;
  readonly file: string;
}

/** Return all migrations of this version, in order. */
export async function knownMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}-.+\.sql$/.test(file)).sort();
  return files.map((file) => ({ number: Number(file.slice(0, 4)), file }));
}

/** Read the statements of a migration. */
export const readMigration = (file: string): Promise<string> => readFile(`${FOLDER}${file}`, "utf8");

/**
 * Migrate the schema: each migration once, in order, in its own transaction.
 *
 * @param before is called with both schemas where there is something to migrate; 0 is an empty database
 * @returns the schema's number
 * @throws SchemaError where a newer version of this program has migrated the database; what `before` throws
 */
export async function migrate(
  database: Database,
  before: (from: number, to: number) => Promise<void> = async () => undefined,
): Promise<number> {
  await database.exec(
    "create table if not exists schema_migration (number int primary key, applied_at timestamptz not null default now())",
  );
  const [row] = await database.query<{ number: number | null }>(
    "select max(number) as number from schema_migration",
  );
  const current = row?.number ?? 0;
  const migrations = await knownMigrations();
  const newest = migrations.at(-1)?.number ?? 0;
  if (current > newest) {
    throw new SchemaError(
      `The database has schema ${current}, but this version knows ${newest} at most: start the newer version of Mulkko on it.`,
    );
  }
  if (current < newest) await before(current, newest);
  for (const { number, file } of migrations) {
    if (number <= current) continue;
    const sql = await readMigration(file);
    await database.exec(`begin; ${sql}; insert into schema_migration (number) values (${number}); commit;`);
  }
  return newest;
}
