import { type Failure, failureOfCode } from "./failure.ts";

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
  /** SQLSTATE, or the code of the connection where the database gave no answer. */
  readonly code: string;
  readonly failure: Failure;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
    this.failure = failureOfCode(code);
  }

  /** True unless the statement's own values caused the error: the same statement may succeed later. */
  get temporary(): boolean {
    return this.failure !== "row";
  }

  shouldRetry(): boolean {
    return this.temporary;
  }
}

/** Classify any error of storing a row. An error that is not the database's is never the row's fault. */
export const failureOf = (error: unknown): Failure =>
  error instanceof DatabaseError ? error.failure : "refused";
