import type { Timers } from "@mulkko/shared/rules/clock";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import type { Failure } from "../database/failure.ts";

/** Most items in one write. */
export const MAX_BATCH = 2_000;

/** Most waiting items; more are refused, and their senders retry. */
export const MAX_WAITING = 20_000;

/** A write of this many items suggests that more are coming: the next one waits for them. */
export const BUSY = 16;
/** Longest wait of a write for more items, ms: the time of a small write barely depends on its size. */
export const GATHER_MS = 20;
/** Number of items at which a write stops waiting. */
export const ENOUGH = 500;
/** After this many items in a row that are refused by themselves, the others of their batch are refused too. */
export const MAX_REFUSED_IN_A_ROW = 2;

/**
 * Gather items into one write at a time. Items that arrive during a write share the next one, and the first
 * item after a quiet period waits for no other.
 */
export interface Batcher<T> {
  /** Resolve when the item's batch is written; reject with the error of the write. */
  add(item: T): Promise<void>;
  /** Resolve when no item is waiting. */
  drain(): Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * @param failureOf classifies a failed write. Unless the database is away, each item is then written by
 * itself, so that one item does not fail the others
 */
export function createBatcher<T>(
  write: (items: readonly T[]) => Promise<void>,
  failureOf: (error: unknown) => Failure,
  timers: Timers = nodeTimers,
): Batcher<T> {
  let waiting: Waiting<T>[] = [];
  let turn: NodeJS.Immediate | undefined;
  let running: Promise<void> | undefined;

  let hurry: (() => void) | undefined;
  let draining = false;

  const gather = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const gathering = timers.after(GATHER_MS, resolve);
    hurry = resolve;
    await promise;
    hurry = undefined;
    gathering.cancel();
  };
  const flush = async (): Promise<void> => {
    turn = undefined;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        await write(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
        if (batch.length >= BUSY && waiting.length < ENOUGH && !draining) await gather();
      } catch (error) {
        if (batch.length > 1 && failureOf(error) !== "away") await writeOneByOne(batch);
        else for (const { reject } of batch) reject(error);
      }
    }
    running = undefined;
  };
  const writeOneByOne = async (batch: readonly Waiting<T>[]): Promise<void> => {
    let refused = 0;
    for (const [place, { item, resolve, reject }] of batch.entries()) {
      try {
        await write([item]);
        refused = 0;
        resolve();
      } catch (error) {
        reject(error);
        const failure = failureOf(error);
        if (failure === "row") continue;
        refused += 1;
        if (failure === "refused" && refused < MAX_REFUSED_IN_A_ROW) continue;
        for (const rest of batch.slice(place + 1)) rest.reject(error);
        return;
      }
    }
  };
  const start = (): void => {
    running = flush();
  };

  return {
    add(item) {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new RangeError("too many messages wait"));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ item, resolve, reject });
      if (waiting.length >= ENOUGH) hurry?.();
      if (!running && !turn) turn = setImmediate(start);
      return promise;
    },
    async drain() {
      if (turn) {
        clearImmediate(turn);
        start();
      }
      draining = true;
      hurry?.();
      await running;
      draining = false;
    },
  };
}
