/** Seed of all generated values, unless the environment sets another: `FUZZ_SEED=7 pnpm test fuzzed`. */
const SEED = 20_261_121;

const whole = (name: string): number | undefined => {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, and is "${text}"`);
  return value;
};

/**
 * Return the parameters of a fuzzing test. A failure prints its seed. `FUZZ_SEED` sets it again, and
 * `FUZZ_RUNS` replaces the number of runs.
 */
export function fuzzing(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed: whole("FUZZ_SEED") ?? SEED, numRuns: whole("FUZZ_RUNS") ?? numRuns };
}
