import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { StoreUnavailableError } from "../errors.ts";
import { prepareSchema } from "./schema.ts";

type Row = Record<string, SQLOutputValue>;

/** One statement with its values. */
export type Statement = readonly [sql: string, ...values: SQLInputValue[]];

/**
 * The relay's SQLite file, for everything that must survive a restart. A write is on disk when it returns.
 */
export interface Durable {
  readonly available: boolean;
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Run all statements or none. Throws `StoreUnavailableError` if they could not be written. */
  write(statements: readonly Statement[]): void;
  close(): void;
}

/**
 * Open the file.
 * @param file path of the database, or `:memory:`
 * @param onAvailable called when writes begin to fail, and when they succeed again
 */
export function openDurable(file: string, onAvailable: (available: boolean) => void): Durable {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  try {
    prepareSchema(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
  const prepared = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  let available = true;
  const become = (now: boolean): void => {
    if (available === now) return;
    available = now;
    onAvailable(now);
  };
  return {
    get available() {
      return available;
    },
    all: (sql, ...values) => statement(sql).all(...values),
    get: (sql, ...values) => statement(sql).get(...values),
    write(statements) {
      try {
        database.exec("BEGIN IMMEDIATE");
        for (const [sql, ...values] of statements) statement(sql).run(...values);
        database.exec("COMMIT");
      } catch (cause) {
        if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
        become(false);
        throw new StoreUnavailableError(`The relay's store ${file} cannot be written.`, { cause });
      }
      become(true);
    },
    close: () => database.close(),
  };
}
