import type { Clock, Random, Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** The process, as the parts of the relay use it. */
export interface Runtime {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly log: Log;
}
