/** Numbers of passed and failed tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export const NO_TESTS: Counts = { passed: 0, failed: 0 };
export const ONE_PASSED: Counts = { passed: 1, failed: 0 };
export const ONE_FAILED: Counts = { passed: 0, failed: 1 };

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
});
