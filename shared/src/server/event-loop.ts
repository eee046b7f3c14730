import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Timers } from "../rules/clock.ts";
import { repeat } from "./node-timers.ts";

/** Measures the delay of the event loop. */
export interface EventLoopWatch {
  /** Return the 99th percentile of the delay over the last full window, ms. */
  p99(): number;
  close(): void;
}

const RESOLUTION_MS = 20;
const WINDOW_MS = 10_000;
const NANOSECONDS = 1e6;

/** Begin to measure, with one handle of the event loop until it is closed. */
export function watchEventLoop(timers: Timers): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let last = 0;
  const regularly = repeat(timers, WINDOW_MS, () => {
    // The histogram holds whole intervals of its own timer; the part above the interval is delay.
    last = Math.max(0, delay.percentile(99) / NANOSECONDS - RESOLUTION_MS);
    delay.reset();
  });
  return {
    p99: () => last,
    close() {
      regularly.cancel();
      delay.disable();
    },
  };
}
