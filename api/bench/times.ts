import { median } from "@mulkko/testing/bench/figures";

/** Run `work` once to warm up and then `rounds` times. Return the milliseconds of each round. */
export async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    await work();
    if (round > 0) times.push(performance.now() - started);
  }
  return times;
}

/** Format `p50 1.2 (1.0 … 3.4) ms`. */
export const spread = (times: readonly number[]): string =>
  `p50 ${median(times).toFixed(1)} (${Math.min(...times).toFixed(1)} … ${Math.max(...times).toFixed(1)}) ms`;
