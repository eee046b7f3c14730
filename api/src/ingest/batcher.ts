/** Most items in one write. */
export const MAX_BATCH = 2_000;

/** Most items that wait; more are refused, and their senders try again. */
export const MAX_WAITING = 20_000;

/** A write of so many items says that more are coming: the next one waits for them. */
export const BUSY = 16;
/** How long a write waits for more at most: what a small one takes is mostly the same whatever is in it. */
export const GATHER_MS = 20;
/** With so many items a write waits for no more. */
export const ENOUGH = 500;

/**
 * Gathers items into one write at a time: what comes while one is under way goes together into the next, so that
 * the first after quiet waits for nobody.
 */
export interface Batcher<T> {
  /** Resolves when the item's batch is written; rejects with what the write threw. */
  add(item: T): Promise<void>;
  /** Resolves when nothing waits any more. */
  drain(): Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  resolve(): void;
  reject(error: unknown): void;
}

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/**
 * @param isPoison whether a failed write is the fault of some item in it; then each is written by itself, so that
 *   one does not take its company down
 * @param after runs something later; answers what calls it off
 */
export function createBatcher<T>(
  write: (items: readonly T[]) => Promise<void>,
  isPoison: (error: unknown) => boolean,
  after: (ms: number, run: () => void) => () => void = afterMs,
): Batcher<T> {
  let waiting: Waiting<T>[] = [];
  let turn: NodeJS.Immediate | undefined;
  let running: Promise<void> | undefined;

  let hurry: (() => void) | undefined;
  let draining = false;

  const gather = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = after(GATHER_MS, resolve);
    hurry = resolve;
    await promise;
    hurry = undefined;
    cancel();
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
        if (batch.length > 1 && isPoison(error)) await writeOneByOne(batch);
        else for (const { reject } of batch) reject(error);
      }
    }
    running = undefined;
  };
  const writeOneByOne = async (batch: readonly Waiting<T>[]): Promise<void> => {
    for (const { item, resolve, reject } of batch) await write([item]).then(resolve, reject);
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
