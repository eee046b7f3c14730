import { availableParallelism, loadavg } from "node:os";

/**
 * Describe the machine of the figures; a load above this benchmark's own means that another process ran too.
 */
export function machine(): string {
  const load = loadavg().map((value) => value.toFixed(1));
  return `Node ${process.version}, ${availableParallelism()} cores, load ${load.join(" ")}`;
}

/** Return the value below which the given share of the values lies; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Format `p50 1.2  p99 3.4  max 5.6 ms`. */
export function spread(latencies: readonly number[]): string {
  const ms = (value: number): string => value.toFixed(1).padStart(5);
  const max = latencies.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return `p50 ${ms(median(latencies))}  p99 ${ms(percentile(latencies, 0.99))}  max ${ms(max)} ms`;
}

/** Return ms on the machine's monotonic clock, which all of its processes share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;
