import { numberOf } from "@mulkko/e2e/bench/number-option";

/** What the benchmarks share; each number can be set, e.g. `BENCH_INGEST_SECONDS=10 pnpm bench ingest`. */
export const BENCH = {
  /** Measured rounds; one more goes before them to warm up. */
  rounds: numberOf("BENCH_ROUNDS", 5),
  /** Ingest: devices, seconds of each run, and messages of a device that wait for their acknowledgement. */
  devices: numberOf("BENCH_DEVICES", 200),
  ingestSeconds: numberOf("BENCH_INGEST_SECONDS", 60),
  inFlight: numberOf("BENCH_IN_FLIGHT", 20),
  /** Ingest: `embedded` or `mosquitto` alone. */
  way: process.env.BENCH_WAY ?? "",
  /** Ingest through Mosquitto, which acknowledges by itself: readings a second that all devices send. */
  outerRate: numberOf("BENCH_OUTER_RATE", 6_000),
  /** Ingest: readings after which memory is looked at, in four parts. */
  memoryReadings: numberOf("BENCH_MEMORY_READINGS", 1_000_000),
  /** Growth: hours that go by, and at how many points of them it is looked at. */
  growthHours: numberOf("BENCH_GROWTH_HOURS", 24),
  growthPoints: numberOf("BENCH_GROWTH_POINTS", 8),
  /** Growth: sensors, and readings of each in an hour. */
  growthSensors: numberOf("BENCH_GROWTH_SENSORS", 100),
  growthReadings: numberOf("BENCH_GROWTH_READINGS", 210),
  /** Latest: sensors in one call. */
  sensors: numberOf("BENCH_SENSORS", 500),
} as const;
