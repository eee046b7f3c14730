/**
 * Which queue a statement waits in where there is a single connection: what closes a valve goes before
 * everything, history after everything.
 */
export type Lane = "urgent" | "normal" | "history";

/** A row as the drivers give it: `int8` is a number, `timestamptz` is milliseconds since 1970 UTC. */
export type Row = Readonly<Record<string, unknown>>;

/** A value that both drivers take; times are passed as `Date`, JSON as text. */
export type Param =
  | string
  | number
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly string[]
  | readonly number[];

export interface Queryable {
  /**
   * @param sql one statement with `$1` …; the caller names its row type, which the statement must produce
   * @throws DatabaseError
   */
  query<T extends object = Row>(sql: string, params?: readonly Param[]): Promise<T[]>;
}

/** The system of record. PGlite and PostgreSQL stand behind it, and pass one contract suite. */
export interface Database extends Queryable {
  readonly kind: "pglite" | "postgres";
  query<T extends object = Row>(sql: string, params?: readonly Param[], lane?: Lane): Promise<T[]>;
  /** Runs `work` in one transaction; rolls it back and throws on if `work` throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, lane?: Lane): Promise<T>;
  /** Runs several statements without parameters, as migrations are. */
  exec(sql: string): Promise<void>;
  /** False while the database is known to be away. */
  isUp(): boolean;
  close(): Promise<void>;
}

/** SQLSTATE of a row that is there already. */
export const UNIQUE_VIOLATION = "23505";

/** SQLSTATE of a row that refers to one which is not there. */
export const FOREIGN_KEY_VIOLATION = "23503";

/** What a database says no with. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  /** SQLSTATE, or a word of ours where there was no answer at all. */
  readonly code: string;
  /** True where the database was away: the same statement may succeed later. */
  readonly temporary: boolean;

  constructor(message: string, code: string, temporary: boolean) {
    super(message);
    this.code = code;
    this.temporary = temporary;
  }

  shouldRetry(): boolean {
    return this.temporary;
  }
}

/** True for codes that say "not now": lost connections, shutdown, too many clients. */
export function isTemporaryCode(code: string): boolean {
  return /^(08|57P0|53)/.test(code) || /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)/.test(code);
}
