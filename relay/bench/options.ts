/** What every benchmark shares; each number can be set, e.g. `BENCH_SESSIONS=5000 pnpm bench fan-out`. */
function numberOf(name: string, byDefault: number): number {
  const text = process.env[name];
  const value = text === undefined || text === "" ? byDefault : Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a number above 0`);
  return value;
}

export const BENCH = {
  /** Sessions of one account. */
  sessions: numberOf("BENCH_SESSIONS", 1_000),
  /** Changed readings in one tick. */
  readings: numberOf("BENCH_READINGS", 10),
  /** ms between two ticks. */
  tickMs: numberOf("BENCH_TICK_MS", 50),
  /** Seconds of one measured round, and rounds of each contestant. */
  seconds: numberOf("BENCH_SECONDS", 5),
  rounds: numberOf("BENCH_ROUNDS", 3),
  /** Messages whose way is timed. */
  messages: numberOf("BENCH_MESSAGES", 300),
  /** ms between two of them: a quiet account. */
  quietMs: numberOf("BENCH_QUIET_MS", 150),
} as const;

/** The value below which the given share of the values lies; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
