/**
 * Queue of a statement where there is a single connection. Statements that close a valve run first, history
 * last.
 */
export type QueryQueue = "urgent" | "normal" | "history";

/** A row as the drivers return it: `int8` is a number, `timestamptz` is ms since 1970 UTC. */
export type Row = Readonly<Record<string, unknown>>;

/** A value that both drivers accept; pass times as `Date`, JSON as text. */
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

/** The system of record. PGlite and PostgreSQL implement it and pass one contract suite. */
export interface Database extends Queryable {
  readonly kind: "pglite" | "postgres";
  query<T extends object = Row>(sql: string, params?: readonly Param[], queue?: QueryQueue): Promise<T[]>;
  /** Run `work` in one transaction; roll back and rethrow if `work` throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, queue?: QueryQueue): Promise<T>;
  /** Run several statements without parameters, such as a migration. */
  exec(sql: string): Promise<void>;
  /** False while the database is known to be unavailable. */
  isUp(): boolean;
  close(): Promise<void>;
}

/** SQLSTATE of a duplicate row. */
export const UNIQUE_VIOLATION = "23505";

/** SQLSTATE of a row that references a missing one. */
export const FOREIGN_KEY_VIOLATION = "23503";

/** An error of the database. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  /** SQLSTATE, or our own code where the database gave no answer. */
  readonly code: string;
  /** True where the database was unavailable: the same statement may succeed later. */
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

/** True for codes of a temporary failure: lost connections, shutdown, too many clients. */
export function isTemporaryCode(code: string): boolean {
  return /^(08|57P0|53)/.test(code) || /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)/.test(code);
}
