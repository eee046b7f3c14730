import type { Timers } from "@mulkko/shared/rules/clock";

export const browserTimers: Timers = {
  after(ms, run) {
    const id = setTimeout(run, ms);
    return { cancel: () => clearTimeout(id) };
  },
};
