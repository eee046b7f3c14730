/** Limits concurrency; further calls wait in a queue of limited length. */
export interface Semaphore {
  /** @throws SemaphoreFullError if too many calls wait already */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export class SemaphoreFullError extends Error {
  override readonly name = "TurnstileFullError";
}

export function createSemaphore(inFlight: number, waiting: number): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async pass(work) {
      if (running >= inFlight) {
        if (queue.length >= waiting) throw new SemaphoreFullError("too many requests are waiting");
        await new Promise<void>((resolve) => {
          queue.push(resolve);
        });
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        // The permit passes to the next call, if any.
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
