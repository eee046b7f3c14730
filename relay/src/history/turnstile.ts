/** Lets so many through at once; the rest wait their turn, up to a number. */
export interface Turnstile {
  /** @throws TurnstileFullError if too many wait already */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export class TurnstileFullError extends Error {
  override readonly name = "TurnstileFullError";
}

export function createTurnstile(inFlight: number, waiting: number): Turnstile {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async pass(work) {
      if (running >= inFlight) {
        if (queue.length >= waiting) throw new TurnstileFullError("too much is waiting");
        await new Promise<void>((resolve) => {
          queue.push(resolve);
        });
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        // The place goes to the next one, if there is one.
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
