import type { Static, TSchema } from "typebox";

/**
 * A kind of stored document of an account. One row declares it, beside the code that owns it, and both stores
 * carry it out: docs/dev/architecture.md, "How to add a kind of stored document".
 */
interface Row<S extends TSchema> {
  /** Never changed: the names of its table and keys are made from it. */
  readonly name: string;
  /** Documents that it does not fit are reported to their reader. A later change adds optional fields (NODE-6). */
  readonly value: S;
  /** True for documents that the owner writes again after Redis has lost them (NODE-2): few and small ones. */
  readonly rewritten?: true;
  /** True for documents that any node writes; otherwise only the account's owner does, under its fence. */
  readonly anyNode?: true;
  /** True if the document is a text by itself, and stored without JSON. */
  readonly plain?: true;
  /** Names that data from before this table has. */
  readonly sqlite?: {
    readonly table: string;
    /** Absent: one document in an account's row. */
    readonly key?: string;
    /** The column of the JSON text, or the document's fields, a column each. */
    readonly value: string | readonly string[];
    /** True for a column in rows that hold more and are made elsewhere. */
    readonly shared?: true;
  };
  readonly redis?: {
    readonly documents: string;
    readonly times?: string;
    readonly accounts?: string;
  };
}

/** One document for each account. */
export interface SingleCollection<S extends TSchema = TSchema> extends Row<S> {
  readonly shape: "single";
  /** Longest JSON text, bytes; more throws a `RangeError`. */
  readonly atMostBytes?: number;
}

/** Documents by key, until they are removed. */
export interface KeyedCollection<S extends TSchema = TSchema> extends Row<S> {
  readonly shape: "keyed";
  /** ms after an account's last write until Redis drops its documents; SQLite keeps them. */
  readonly idleMs?: number;
  /** True if the store can list the accounts that have such a document. */
  readonly listed?: true;
}

/** Documents by key, each with its time, ms UTC: the oldest are dropped first. */
export interface DatedCollection<S extends TSchema = TSchema> extends Row<S> {
  readonly shape: "dated";
  /** Documents of one account. */
  readonly atMost: number;
  /** ms from its time for which a document is kept. */
  readonly forMs?: number;
}

export type Collection<S extends TSchema = TSchema> =
  | SingleCollection<S>
  | KeyedCollection<S>
  | DatedCollection<S>;

/** Documents of the whole installation by key, each until its end. They need not survive a restart. */
export interface PassingCollection<S extends TSchema = TSchema> {
  readonly name: string;
  readonly value: S;
  /** Documents that a single node keeps in its memory; Redis drops them by their end alone. */
  readonly atMost: number;
}

/** The key of a document that is single in its account. */
export const SINGLE = "";

/** One document to write, or with a null text to remove. */
export interface DocumentChange {
  readonly of: Collection;
  readonly key: string;
  /** ms UTC; 0 in a collection without times. */
  readonly at: number;
  readonly text: string | null;
}

const textOf = (of: Collection, value: unknown): string =>
  of.plain && typeof value === "string" ? value : JSON.stringify(value);

/** Return the change that replaces an account's single document. Throws a `RangeError` if it is too long. */
export function putSingle<S extends TSchema>(of: SingleCollection<S>, value: Static<S>): DocumentChange {
  const text = textOf(of, value);
  const { atMostBytes = Number.POSITIVE_INFINITY } = of;
  if (Buffer.byteLength(text) > atMostBytes) {
    throw new RangeError(`A document of ${of.name} takes ${atMostBytes} bytes at most.`);
  }
  return { of, key: SINGLE, at: 0, text };
}

/** Return the change that adds or replaces a document. */
export function put<S extends TSchema>(
  of: KeyedCollection<S>,
  key: string,
  value: Static<S>,
): DocumentChange {
  return { of, key, at: 0, text: textOf(of, value) };
}

/**
 * Return the change that adds or replaces a document with its time.
 * @param at ms UTC
 */
export function putDated<S extends TSchema>(
  of: DatedCollection<S>,
  key: string,
  at: number,
  value: Static<S>,
): DocumentChange {
  return { of, key, at, text: textOf(of, value) };
}

/** Return the change that removes a document. */
export function removed(of: Collection, key: string = SINGLE): DocumentChange {
  return { of, key, at: 0, text: null };
}
