/**
 * Read a number from the environment that configures a benchmark, e.g. `BENCH_SESSIONS=5000 pnpm bench
 * fan-out`.
 *
 * @throws Error unless it is a number above 0
 */
export function numberOf(name: string, byDefault: number): number {
  const text = process.env[name];
  const value = text === undefined || text === "" ? byDefault : Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a number above 0`);
  return value;
}
