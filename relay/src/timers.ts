import type { Timers } from "./ports/timers.ts";

/** `setTimeout` waits no longer than this, ms; what is due later is waited for in pieces. */
const LONGEST_MS = 2_147_483_647;

/** Node's own timers, which run on the monotonic clock. They do not keep the process alive. */
export const systemTimers: Timers = {
  after(ms, run) {
    let handle: NodeJS.Timeout;
    const wait = (left: number): void => {
      const piece = Math.min(left, LONGEST_MS);
      handle = setTimeout(() => (left > piece ? wait(left - piece) : run()), piece);
      handle.unref();
    };
    wait(Math.max(0, ms));
    return { cancel: () => clearTimeout(handle) };
  },
};
