import { numberOf } from "@mulkko/testing/bench/number-option";

/**
 * Options of all benchmarks. Set each number by a variable, e.g. `BENCH_INGEST_SECONDS=10 pnpm bench ingest`.
 */
export const BENCH = {
  /** Measured rounds; one warm-up round runs before them. */
  rounds: numberOf("BENCH_ROUNDS", 5),
  /** Ingest: devices, seconds per run, and unacknowledged messages per device. */
  devices: numberOf("BENCH_DEVICES", 200),
  ingestSeconds: numberOf("BENCH_INGEST_SECONDS", 60),
  inFlight: numberOf("BENCH_IN_FLIGHT", 20),
  /** Ingest: only `embedded` or only `mosquitto`. */
  way: process.env.BENCH_WAY ?? "",
  /** Ingest through Mosquitto, which acknowledges by itself: readings per second of all devices. */
  externalRate: numberOf("BENCH_OUTER_RATE", 6_000),
  /** Ingest: readings after which memory is measured, in four parts. */
  memoryReadings: numberOf("BENCH_MEMORY_READINGS", 1_000_000),
  /** Growth: simulated hours, and the number of measurements in them. */
  growthHours: numberOf("BENCH_GROWTH_HOURS", 24),
  growthPoints: numberOf("BENCH_GROWTH_POINTS", 8),
  /** Growth: sensors, and readings of each per hour. */
  growthSensors: numberOf("BENCH_GROWTH_SENSORS", 100),
  growthReadings: numberOf("BENCH_GROWTH_READINGS", 210),
  /** Latest: sensors in one call. */
  sensors: numberOf("BENCH_SENSORS", 500),
} as const;
