/** Source of the time, replaceable in tests. */
export interface Clock {
  /** Wall time, milliseconds since 1970 UTC. May jump. */
  now(): number;
  /** Milliseconds on a clock that never jumps; its zero has no meaning. */
  monotonic(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A source of numbers in [0, 1). */
export type Random = () => number;

/** A timer that is set. */
export interface Timer {
  cancel(): void;
}

/** Cancellable timers on the monotonic clock (RUN-4). */
export interface Timers {
  after(ms: number, run: () => void): Timer;
}

/** The machine's timers. */
export const systemTimers: Timers = {
  after(ms, run) {
    const id = setTimeout(run, ms);
    return { cancel: () => clearTimeout(id) };
  },
};
