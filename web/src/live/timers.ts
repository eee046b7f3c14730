/** A timer that can be called off. */
export interface Timers {
  /** @returns calls it off */
  after(ms: number, run: () => void): () => void;
}

export const browserTimers: Timers = {
  after(ms, run) {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};
