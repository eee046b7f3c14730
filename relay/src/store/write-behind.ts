import type { Timers } from "@mulkko/shared/rules/clock";
import type { DocumentChange } from "./collections.ts";
import { StaleOwnerError } from "./errors.ts";

/** `waiting`: not stored yet, and repeated. `stale`: another node owns the account by now (NODE-5). */
export type WriteResult = "written" | "waiting" | "stale";

/** A stored value by collection and key: only the newest of a key is worth writing. */
export interface Keyed {
  readonly of: { readonly name: string };
  readonly key: string;
}

/** Values of one collection that wait for the store; beyond it the oldest are dropped. */
const WAITING_AT_MOST = 1_000;
const RETRY_MS = 5_000;

/** Return the newest value of each key. */
function newest<T extends Keyed>(values: readonly T[]): T[] {
  const collections = new Map<string, Map<string, T>>();
  for (const value of values) {
    const { name } = value.of;
    const known = collections.get(name) ?? new Map<string, T>();
    collections.set(name, known.set(value.key, value));
  }
  return [...collections.values()].flatMap((known) => [...known.values()]);
}

/** Return the last values of each collection, as many as may wait. */
function bounded<T extends Keyed>(values: readonly T[]): T[] {
  const counts = new Map<string, number>();
  return values
    .toReversed()
    .filter(({ of }) => {
      const count = (counts.get(of.name) ?? 0) + 1;
      counts.set(of.name, count);
      return count <= WAITING_AT_MOST;
    })
    .reverse();
}

/** A turn that has not begun: values of later calls join it. */
interface OpenTurn<T> {
  readonly values: T[];
  readonly result: Promise<WriteResult>;
}

/** Dependencies of a writer. */
export interface WriteBehindDeps<T> {
  /** Store all values or none. Rejects with a `StaleOwnerError` once another node owns them. */
  readonly write: (values: readonly T[]) => Promise<void>;
  readonly timers: Timers;
  /** Called with each failed attempt of `put`. */
  readonly onFailure: (error: unknown) => void;
  /** Called when values that had waited are stored. */
  readonly onCaughtUp?: () => void;
}

/**
 * Writes to the store in order, one write at a time. Values that cannot be stored wait; every later write
 * includes them, and one is tried every 5 s.
 *
 * ```
 * put ──▶ open turn ──▶ write ──▶ written
 *              ▲          ├─────▶ waiting: in the backlog until a later write succeeds
 *          later put      └─────▶ stale: the backlog is dropped, the next owner writes
 * must ─▶ own turn ───▶ write ──▶ resolves, or rejects and drops its own values only
 * ```
 */
export class WriteBehind<T extends Keyed> {
  readonly #deps: WriteBehindDeps<T>;
  /** Values that could not be written, oldest first. */
  #backlog: readonly T[] = [];
  #open: OpenTurn<T> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #retry: { cancel(): void } | null = null;
  #closed = false;

  constructor(deps: WriteBehindDeps<T>) {
    this.#deps = deps;
  }

  /** Resolve when the values are on disk; reject when they are not (RUN-3). They are not repeated. */
  must(values: readonly T[]): Promise<void> {
    // A later value of the same key must not be written before this one.
    this.#open = null;
    return this.#inTurn(() => this.#write(values, false));
  }

  /** Write now, or as soon as the store is back (NODE-4). */
  put(values: readonly T[]): Promise<WriteResult> {
    const turn = this.#open ?? this.#begin();
    turn.values.push(...values);
    return turn.result;
  }

  /** Resolve when everything from before was tried once. It may still wait for the store. */
  async tried(): Promise<void> {
    await this.#last;
  }

  /** Stop repeating. */
  close(): void {
    this.#closed = true;
    this.#retry?.cancel();
  }

  #inTurn<R>(run: () => Promise<R>): Promise<R> {
    const turn = this.#last.then(run);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #begin(): OpenTurn<T> {
    const values: T[] = [];
    const result = this.#inTurn(() => {
      if (this.#open === turn) this.#open = null;
      return this.#try(values);
    });
    const turn = { values, result };
    this.#open = turn;
    return turn;
  }

  async #try(values: readonly T[]): Promise<WriteResult> {
    if (values.length === 0 && this.#backlog.length === 0) return "written";
    try {
      await this.#write(values, true);
      return "written";
    } catch (error) {
      if (error instanceof StaleOwnerError) {
        // The next owner has read what was stored, and continues from there.
        this.#backlog = [];
        return "stale";
      }
      this.#deps.onFailure(error);
      this.#retryLater();
      return "waiting";
    }
  }

  async #write(values: readonly T[], keeps: boolean): Promise<void> {
    const { write, onCaughtUp } = this.#deps;
    const waited = this.#backlog.length > 0;
    const all = newest([...this.#backlog, ...values]);
    try {
      await write(all);
    } catch (error) {
      if (keeps) this.#backlog = bounded(all);
      throw error;
    }
    this.#backlog = [];
    if (waited) onCaughtUp?.();
  }

  #retryLater(): void {
    if (this.#closed) return;
    this.#retry ??= this.#deps.timers.after(RETRY_MS, () => {
      this.#retry = null;
      void this.put([]);
    });
  }
}

/** A writer of documents, as their owners use it. */
export type DocumentWriter = Pick<WriteBehind<DocumentChange>, "put" | "must">;
