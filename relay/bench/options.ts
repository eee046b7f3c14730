import { numberOf } from "@mulkko/e2e/bench/number-option";

/** What every benchmark shares; each number can be set, e.g. `BENCH_SESSIONS=5000 pnpm bench fan-out`. */
export const BENCH = {
  /** Measured rounds of each contestant; one more goes before them to warm up. */
  rounds: numberOf("BENCH_ROUNDS", 5),
  /** Seconds of each part of a round. */
  seconds: numberOf("BENCH_SECONDS", 4),
  /** Fan-out: sessions of one account. */
  sessions: numberOf("BENCH_SESSIONS", 1_000),
  /** Fan-out: changed readings in one tick, and ms between two ticks. */
  readings: numberOf("BENCH_READINGS", 10),
  tickMs: numberOf("BENCH_TICK_MS", 50),
  /** Fan-out: ticks of one burst where all are sent at once; what a session may leave unconfirmed bounds it. */
  burst: numberOf("BENCH_BURST", 12),
  /** Publish to wire: publications of one part of a round, and ms between two of them on a quiet account. */
  publications: numberOf("BENCH_PUBLICATIONS", 80),
  quietMs: numberOf("BENCH_QUIET_MS", 200),
  /** Publish to wire: ms between two publications that follow quickly, within the flush pause of SUB-6. */
  quickMs: numberOf("BENCH_QUICK_MS", 40),
} as const;
