import type { Collection, DocumentChange } from "../collections.ts";
import type { DocumentTexts, StoredText } from "../documents.ts";
import { STORE_LIMITS } from "../limits.ts";
import type { Durable, Statement } from "./durable.ts";

/** Table and columns of a collection; `key` is null where an account has one document. */
interface Names {
  readonly table: string;
  readonly key: string | null;
  /** The columns of the value, and the SQL that reads them as one text. */
  readonly columns: readonly string[];
  readonly read: string;
  /** Return the SQL of what is written to them, from the parameter with the text. */
  readonly written: (parameter: string) => string;
  readonly isShared: boolean;
}

function namesOf(of: Collection): Names {
  const table = of.sqlite?.table ?? `doc_${of.name.replaceAll("-", "_")}`;
  const key = of.shape === "single" ? null : (of.sqlite?.key ?? "key");
  const value = of.sqlite?.value ?? "value";
  const isShared = of.sqlite?.shared ?? false;
  if (typeof value === "string") {
    return { table, key, columns: [value], read: value, written: (parameter) => parameter, isShared };
  }
  return {
    ...{ table, key, isShared },
    columns: value,
    read: `json_object(${value.map((field) => `'${field}', ${field}`).join(", ")})`,
    written: (parameter) => value.map((field) => `${parameter} ->> '${field}'`).join(", "),
  };
}

/** Return the SQL that creates the table of a collection, if it is not there. */
function tableOf(of: Collection, { table, key, columns: [value] }: Names): string[] {
  if (key === null) {
    return [
      `CREATE TABLE IF NOT EXISTS ${table} (account TEXT PRIMARY KEY, ${value} TEXT NOT NULL) WITHOUT ROWID`,
    ];
  }
  const at = of.shape === "dated" ? "at INTEGER NOT NULL, " : "";
  const created = `CREATE TABLE IF NOT EXISTS ${table} (account TEXT NOT NULL, ${key} TEXT NOT NULL, ${at}${value} TEXT NOT NULL,
    PRIMARY KEY (account, ${key})) WITHOUT ROWID`;
  return at === ""
    ? [created]
    : [created, `CREATE INDEX IF NOT EXISTS ${table}_at ON ${table} (account, at)`];
}

/** The tables of documents in the SQLite file. A new collection gets its table with its first document. */
export class DocumentTables {
  readonly #durable: Durable;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  /** The collections in use, and whether their table is known to exist. */
  readonly #used = new Map<string, { of: Collection; names: Names; exists: boolean }>();

  constructor(durable: Durable, now: () => number, onError: (error: unknown) => void) {
    this.#durable = durable;
    this.#now = now;
    this.#onError = onError;
  }

  /**
   * Return an account's documents.
   * @param check throws once the owner is stale
   */
  ofAccount(accountId: string, check: () => void): DocumentTexts {
    return {
      get: async (of, key) => this.#get(of, accountId, key),
      list: async (of, since) => this.#list(of, accountId, since),
      write: async (changes) => {
        check();
        this.#durable.write(changes.flatMap((change) => this.#statements(accountId, change)));
      },
    };
  }

  /** Return the accounts that have a document of the collection. */
  accountsWith(of: Collection): string[] {
    const { names, exists } = this.#use(of);
    if (!exists) return [];
    const rows = this.#durable.all(`SELECT DISTINCT account FROM ${names.table} ORDER BY account`);
    return rows.map(({ account }) => String(account));
  }

  /** Delete the expired documents of all accounts. */
  prune(): void {
    for (const { of } of this.#used.values()) this.#pruneOne(of);
  }

  #pruneOne(of: Collection): void {
    if (of.shape !== "dated" || of.forMs === undefined || !this.#use(of).exists) return;
    try {
      this.#durable.write([[`DELETE FROM ${namesOf(of).table} WHERE at < ?`, this.#now() - of.forMs]]);
    } catch (error) {
      this.#onError(error);
    }
  }

  #use(of: Collection): { names: Names; exists: boolean } {
    const known = this.#used.get(of.name);
    if (known?.exists) return known;
    const names = known?.names ?? namesOf(of);
    const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
    const use = { of, names, exists: this.#durable.get(sql, names.table) !== undefined };
    this.#used.set(of.name, use);
    // Delete at once what expired while the relay was stopped.
    if (known === undefined) this.#pruneOne(of);
    return use;
  }

  #oldest(of: Collection): number {
    return of.shape === "dated" && of.forMs !== undefined ? this.#now() - of.forMs : Number.NEGATIVE_INFINITY;
  }

  #get(of: Collection, accountId: string, key: string): string | null {
    const { names, exists } = this.#use(of);
    if (!exists) return null;
    const select = `SELECT ${names.read} AS text FROM ${names.table} WHERE account = ?`;
    if (names.key === null) return textOf(this.#durable.get(select, accountId));
    if (of.shape !== "dated") {
      return textOf(this.#durable.get(`${select} AND ${names.key} = ?`, accountId, key));
    }
    const sql = `${select} AND ${names.key} = ? AND at >= ?`;
    return textOf(this.#durable.get(sql, accountId, key, this.#oldest(of)));
  }

  #list(of: Collection, accountId: string, since: number): StoredText[] {
    const { names, exists } = this.#use(of);
    const { table, key, read } = names;
    if (!exists || key === null) return [];
    if (of.shape !== "dated") {
      const sql = `SELECT ${key} AS key, 0 AS at, ${read} AS text FROM ${table} WHERE account = ?`;
      return this.#durable.all(sql, accountId).map(storedText);
    }
    const sql = `SELECT * FROM (SELECT ${key} AS key, at, ${read} AS text FROM ${table}
      WHERE account = ? AND at >= ? ORDER BY at DESC, key DESC LIMIT ${STORE_LIMITS.records}) ORDER BY at, key`;
    return this.#durable.all(sql, accountId, Math.max(since, this.#oldest(of))).map(storedText);
  }

  #statements(accountId: string, { of, key, at, text }: DocumentChange): Statement[] {
    const use = this.#use(of);
    const { names } = use;
    const statements: Statement[] = use.exists ? [] : tableOf(of, names).map((sql) => [sql]);
    if (names.isShared) {
      const sql = `UPDATE ${names.table} SET ${names.columns.join()} = ? WHERE account = ?`;
      return [...statements, [sql, text, accountId]];
    }
    if (text === null) {
      const sql = `DELETE FROM ${names.table} WHERE account = ?`;
      if (names.key === null) return [...statements, [sql, accountId]];
      return [...statements, [`${sql} AND ${names.key} = ?`, accountId, key]];
    }
    const values = [accountId, ...(names.key === null ? [] : [key]), ...(of.shape === "dated" ? [at] : [])];
    const columns = [
      "account",
      ...(names.key === null ? [] : [names.key]),
      ...(of.shape === "dated" ? ["at"] : []),
      ...names.columns,
    ];
    const marks = [...values.map((_, n) => `?${n + 1}`), names.written(`?${values.length + 1}`)];
    const sql = `INSERT OR REPLACE INTO ${names.table} (${columns.join(", ")}) VALUES (${marks.join(", ")})`;
    statements.push([sql, ...values, text]);
    if (of.shape === "dated") {
      const { table, key: id } = names;
      const surplus = `DELETE FROM ${table} WHERE account = ?1 AND (at, ${id}) < (SELECT at, ${id} FROM ${table}
        WHERE account = ?1 ORDER BY at DESC, ${id} DESC LIMIT 1 OFFSET ${of.atMost - 1})`;
      statements.push([surplus, accountId]);
    }
    return statements;
  }
}

const textOf = (row: Record<string, unknown> | undefined): string | null =>
  typeof row?.text === "string" ? row.text : null;

const storedText = (row: Record<string, unknown>): StoredText => ({
  key: String(row.key),
  at: Number(row.at),
  text: String(row.text),
});
