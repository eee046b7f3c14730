import pLimit from "p-limit";

/** Limits concurrency; further calls wait in a queue of limited length. */
export interface Semaphore {
  /** @throws SemaphoreFullError if too many calls wait already */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export class SemaphoreFullError extends Error {
  override readonly name = "SemaphoreFullError";
}

export function createSemaphore(inFlight: number, waiting: number): Semaphore {
  const limit = pLimit(inFlight);
  return {
    async pass(work) {
      if (limit.activeCount + limit.pendingCount >= inFlight + waiting) {
        throw new SemaphoreFullError("too many requests are waiting");
      }
      return limit(work);
    },
  };
}
