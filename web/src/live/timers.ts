/** Cancellable timers. */
export interface Timers {
  /** @returns a function that cancels */
  after(ms: number, run: () => void): () => void;
}

export const browserTimers: Timers = {
  after(ms, run) {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};
