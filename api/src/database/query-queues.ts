import type { QueryQueue } from "./database.ts";

/** Most statements that wait for one connection before new ones are refused. */
export const MAX_WAITING = 20_000;

const ORDER: readonly QueryQueue[] = ["urgent", "normal", "history"];

/** Run one job at a time; a waiting urgent one runs first. */
export interface QueryQueues {
  /** @throws RangeError at once, where {@link MAX_WAITING} jobs are waiting */
  run<T>(queue: QueryQueue, job: () => Promise<T>): Promise<T>;
}

export function createQueryQueues(): QueryQueues {
  const waiting: Record<QueryQueue, (() => Promise<void>)[]> = { urgent: [], normal: [], history: [] };
  let count = 0;
  let busy = false;

  const next = (): void => {
    if (busy) return;
    const queue = ORDER.find((name) => waiting[name].length > 0);
    const job = queue && waiting[queue].shift();
    if (!job) return;
    count -= 1;
    busy = true;
    void job().finally(() => {
      busy = false;
      next();
    });
  };

  return {
    run<T>(queue: QueryQueue, job: () => Promise<T>): Promise<T> {
      if (count >= MAX_WAITING) throw new RangeError("too many statements wait for the database");
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      waiting[queue].push(() => job().then(resolve, reject));
      count += 1;
      next();
      return promise;
    },
  };
}
