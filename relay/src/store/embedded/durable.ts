import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { DamagedStoreError, NewerSchemaError, StoreUnavailableError } from "../errors.ts";

/** The statements that each schema version added to the previous one, from an empty file on. */
const STEPS = [
  `
CREATE TABLE accounts (
  account TEXT PRIMARY KEY,
  event_epoch TEXT NOT NULL,
  event_offset INTEGER NOT NULL DEFAULT 0,
  watched INTEGER NOT NULL DEFAULT 0,
  notified TEXT
) WITHOUT ROWID;
CREATE TABLE events (
  account TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (account, number)
) WITHOUT ROWID;
CREATE TABLE intents (
  account TEXT NOT NULL, channel TEXT NOT NULL, intent TEXT NOT NULL,
  PRIMARY KEY (account, channel)
) WITHOUT ROWID;
CREATE TABLE commands (
  account TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL,
  PRIMARY KEY (account, id)
) WITHOUT ROWID;
CREATE INDEX commands_at ON commands (account, at);
CREATE TABLE waterings (
  account TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, watering TEXT NOT NULL,
  PRIMARY KEY (account, id)
) WITHOUT ROWID;
CREATE INDEX waterings_at ON waterings (account, at);
CREATE TABLE presence (
  account TEXT NOT NULL, key TEXT NOT NULL, kept TEXT NOT NULL,
  PRIMARY KEY (account, key)
) WITHOUT ROWID;
`,
  `
CREATE TABLE alarms (
  account TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, alarm TEXT NOT NULL,
  PRIMARY KEY (account, id)
) WITHOUT ROWID;
CREATE TABLE settings (account TEXT PRIMARY KEY, settings TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (account TEXT PRIMARY KEY, sealed TEXT NOT NULL) WITHOUT ROWID;
`,
  `
CREATE TABLE displays (
  id TEXT PRIMARY KEY, display TEXT NOT NULL, seen_at INTEGER, seen_until INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE display_codes (
  code TEXT PRIMARY KEY, device TEXT NOT NULL UNIQUE, asked TEXT NOT NULL, expires_at INTEGER NOT NULL,
  display TEXT
) WITHOUT ROWID;
`,
  `
CREATE TABLE watched_spans (
  account TEXT PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL
) WITHOUT ROWID;
`,
] as const;

/** Version of the schema, stored in the file as `user_version`. */
export const SCHEMA = STEPS.length;

/**
 * Create the tables in an empty file, or update an older one, completely or not at all.
 * @throws NewerSchemaError for a file of a newer version, which is left unchanged
 */
export function prepareSchema(database: DatabaseSync, file: string): void {
  const row = database.prepare("PRAGMA user_version").get();
  const found = Number(row?.user_version ?? 0);
  if (found > SCHEMA) {
    throw new NewerSchemaError(
      `The relay's store ${file} has schema ${found}, and this version knows up to ${SCHEMA}: ` +
        "start the newer version again, or give this one another DATA_DIR.",
    );
  }
  if (found === SCHEMA) return;
  database.exec("BEGIN");
  for (const step of STEPS.slice(found)) database.exec(step);
  database.exec(`PRAGMA user_version = ${SCHEMA}`);
  database.exec("COMMIT");
}

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
  /**
   * Run all statements or none. Throws `StoreUnavailableError` if they could not be written. Statements that
   * change no row write nothing: on a full disk they succeed, and prove nothing.
   */
  write(statements: readonly Statement[]): void;
  /** Write one page without a change of content. Throws as `write` does. */
  probe(): void;
  close(): void;
}

const CORRUPT = 11;

/** SQLite's codes of a file that it cannot read: corrupt, cannot be opened, no database. */
const UNREADABLE = new Set([CORRUPT, 14, 26]);

/**
 * Run what reads the store at the start.
 *
 * @throws DamagedStoreError where the file cannot be read
 */
export function orDamaged<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const isDamage =
      cause instanceof Error &&
      "errcode" in cause &&
      typeof cause.errcode === "number" &&
      UNREADABLE.has(cause.errcode & 0xff);
    if (!isDamage) throw cause;
    throw new DamagedStoreError(
      `The relay's store ${resolve(file)} cannot be read (${cause.message}): restore a backup that has it (docs/import-backup.md#restore), or move it away. Without it the relay starts with an empty one: the log of commands, waterings and events is gone, and no reading.`,
      { cause },
    );
  }
}

/** Read the whole file: no statement of the start may touch a damaged page, and one of the work then fails each time. */
function refuseDamage(database: DatabaseSync): void {
  const found = database.prepare("PRAGMA quick_check(1)").get()?.quick_check;
  if (found !== "ok") throw Object.assign(new Error(String(found).trim()), { errcode: CORRUPT });
}

function openPrepared(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    prepareSchema(database, file);
    refuseDamage(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Open the file.
 * @param file path of the database, or `:memory:`
 * @param onAvailable called when writes begin to fail, and when they succeed again
 */
export function openDurable(file: string, onAvailable: (available: boolean) => void): Durable {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
  const database = openPrepared(file);
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
  /** Run the statements. Return true if a row changed. */
  const write = (statements: readonly Statement[]): boolean => {
    let changed = false;
    try {
      database.exec("BEGIN IMMEDIATE");
      for (const [sql, ...values] of statements) {
        if (statement(sql).run(...values).changes > 0) changed = true;
      }
      database.exec("COMMIT");
    } catch (cause) {
      if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
      become(false);
      throw new StoreUnavailableError(`The relay's store ${file} cannot be written.`, { cause });
    }
    return changed;
  };
  return {
    get available() {
      return available;
    },
    all: (sql, ...values) => statement(sql).all(...values),
    get: (sql, ...values) => statement(sql).get(...values),
    write(statements) {
      if (write(statements)) become(true);
    },
    probe() {
      write([[`PRAGMA user_version = ${SCHEMA}`]]);
      become(true);
    },
    close: () => database.close(),
  };
}
