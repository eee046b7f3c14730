import type { DatabaseSync } from "node:sqlite";

/** Number of the layout below; kept in the file as `user_version`. */
export const SCHEMA = 1;

/** The file was written by a newer version of the relay. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
}

const CREATE = `
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
`;

/**
 * Lays the tables out in an empty file.
 *
 * @throws NewerSchemaError for a file of a newer version, which is left as it is
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
  database.exec(CREATE);
  database.exec(`PRAGMA user_version = ${SCHEMA}`);
  database.exec("COMMIT");
}
