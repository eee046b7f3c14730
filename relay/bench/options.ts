import { numberOf } from "@mulkko/testing/bench/number-option";

/** Options of the benchmarks; each number can be set, e.g. `BENCH_SESSIONS=5000 pnpm bench fan-out`. */
export const BENCH = {
  /** Measured rounds of each competitor, after one to warm up. */
  rounds: numberOf("BENCH_ROUNDS", 5),
  /** Quiet reading: rounds; readings of a round, and ms between two of them. */
  quietRounds: numberOf("BENCH_QUIET_ROUNDS", 3),
  quietReadings: numberOf("BENCH_QUIET_READINGS", 60),
  quietReadingMs: numberOf("BENCH_QUIET_READING_MS", 150),
  /**
   * Busy account: readings a second, the sessions that receive them, sensors of the account, seconds of a
   * round.
   */
  busyReadings: numberOf("BENCH_BUSY_READINGS", 200),
  busySessions: numberOf("BENCH_BUSY_SESSIONS", 200),
  busySensors: numberOf("BENCH_BUSY_SENSORS", 40),
  busySeconds: numberOf("BENCH_BUSY_SECONDS", 8),
  busyRounds: numberOf("BENCH_BUSY_ROUNDS", 3),
  /**
   * Session memory: the two numbers of idle sessions; slow sessions, and the frames that they do not read.
   */
  memoryFrom: numberOf("BENCH_MEMORY_FROM", 1_000),
  memoryTo: numberOf("BENCH_MEMORY_TO", 5_000),
  slowSessions: numberOf("BENCH_SLOW_SESSIONS", 500),
  slowFrames: numberOf("BENCH_SLOW_FRAMES", 60),
  /** Many sessions: their number; descriptors limit those of one load generator. */
  manySessions: numberOf("BENCH_MANY_SESSIONS", 15_000),
  manyRounds: numberOf("BENCH_MANY_ROUNDS", 5),
  /** Reconnect: sessions that reconnect at once. */
  reconnectSessions: numberOf("BENCH_RECONNECT_SESSIONS", 5_000),
  /** Takeover: how often an owner is killed, and how often stopped. */
  takeoverRounds: numberOf("BENCH_TAKEOVER_ROUNDS", 2),
  /** Fleet: devices, accounts, devices that come back each second, and seconds of each round. */
  fleetDevices: numberOf("BENCH_FLEET_DEVICES", 10_000),
  fleetAccounts: numberOf("BENCH_FLEET_ACCOUNTS", 200),
  fleetFlips: numberOf("BENCH_FLEET_FLIPS", 200),
  fleetSeconds: numberOf("BENCH_FLEET_SECONDS", 8),
  fleetRounds: numberOf("BENCH_FLEET_ROUNDS", 5),
  /** Watching: accounts, sensors of each, and seconds in which calls and CPU are counted. */
  watchAccounts: numberOf("BENCH_WATCH_ACCOUNTS", 1_000),
  watchSensors: numberOf("BENCH_WATCH_SENSORS", 8),
  watchSeconds: numberOf("BENCH_WATCH_SECONDS", 60),
  /** Polls: largest number of viewers; seconds in which calls are counted. */
  pollViewers: numberOf("BENCH_POLL_VIEWERS", 10_000),
  pollSeconds: numberOf("BENCH_POLL_SECONDS", 20),
  /** Seconds of each part of a round. */
  seconds: numberOf("BENCH_SECONDS", 4),
  /** Fan-out: sessions of one account. */
  sessions: numberOf("BENCH_SESSIONS", 1_000),
  /** Fan-out: changed readings in one tick, and ms between two ticks. */
  readings: numberOf("BENCH_READINGS", 10),
  tickMs: numberOf("BENCH_TICK_MS", 50),
  /** Fan-out: ticks of one burst that is sent at once, limited by a session's unconfirmed bytes. */
  burst: numberOf("BENCH_BURST", 12),
  /** Publish to wire: publications of one part of a round, and ms between two of them on a quiet account. */
  publications: numberOf("BENCH_PUBLICATIONS", 80),
  quietMs: numberOf("BENCH_QUIET_MS", 200),
  /** Publish to wire: ms between two quick publications, within the flush pause of SUB-6. */
  quickMs: numberOf("BENCH_QUICK_MS", 40),
} as const;
