import type { Lane } from "./database.ts";

/** Most statements that may wait for one connection before new ones are refused. */
export const MAX_WAITING = 20_000;

const ORDER: readonly Lane[] = ["urgent", "normal", "history"];

/** One job at a time; a waiting urgent one goes before the rest. */
export interface Lanes {
  /** @throws RangeError at once, where {@link MAX_WAITING} jobs wait already */
  run<T>(lane: Lane, job: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const waiting: Record<Lane, (() => Promise<void>)[]> = { urgent: [], normal: [], history: [] };
  let count = 0;
  let busy = false;

  const next = (): void => {
    if (busy) return;
    const lane = ORDER.find((name) => waiting[name].length > 0);
    const job = lane && waiting[lane].shift();
    if (!job) return;
    count -= 1;
    busy = true;
    void job().finally(() => {
      busy = false;
      next();
    });
  };

  return {
    run<T>(lane: Lane, job: () => Promise<T>): Promise<T> {
      if (count >= MAX_WAITING) throw new RangeError("too many statements wait for the database");
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      waiting[lane].push(() => job().then(resolve, reject));
      count += 1;
      next();
      return promise;
    },
  };
}
