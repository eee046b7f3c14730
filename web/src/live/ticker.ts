/** Update interval of ages and countdowns, ms. */
export const TICK_MS = 1_000;

/** One timer for the whole page: it runs while there are subscribers. */
export interface Ticker {
  subscribe(listener: () => void): () => void;
}

export function createTicker(every: (ms: number, run: () => void) => () => void = browserInterval): Ticker {
  const listeners = new Set<() => void>();
  let stop: (() => void) | null = null;
  return {
    subscribe(listener) {
      listeners.add(listener);
      stop ??= every(TICK_MS, () => {
        for (const each of [...listeners]) each();
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
}

function browserInterval(ms: number, run: () => void): () => void {
  const id = setInterval(run, ms);
  return () => clearInterval(id);
}
