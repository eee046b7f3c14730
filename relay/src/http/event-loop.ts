import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Timers } from "@mulkko/shared/rules/clock";

/** Measures the delay of the event loop. */
export interface EventLoopWatch {
  /** Return the 99th percentile of the delay over the last full window, ms. */
  p99(): number;
  close(): void;
}

const RESOLUTION_MS = 20;
const WINDOW_MS = 10_000;

export function watchEventLoop(timers: Timers): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let last = 0;
  let timer = timers.after(WINDOW_MS, read);
  function read(): void {
    // The histogram holds whole intervals of its own timer; the part above the interval is delay.
    last = Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS);
    histogram.reset();
    timer = timers.after(WINDOW_MS, read);
  }
  return {
    p99: () => last,
    close() {
      timer.cancel();
      histogram.disable();
    },
  };
}
