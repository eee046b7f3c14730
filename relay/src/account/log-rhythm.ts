/** Number of gaps of a log that are compared, newest first. */
const GAPS = 8;
/** Tolerance to the median gap, as a share of it or in ms, within which a gap counts as equal. */
const LIKE_SHARE = 0.25;
const LIKE_MS = 30_000;
const LEAST = 2;

/**
 * True if a log is written at regular times, so that silence indicates an offline device (ONL-1). A log with
 * rows only when a valve moves is not regular.
 *
 * @param times of its rows, ms UTC, in any order
 */
export function isRegular(times: readonly number[]): boolean {
  const sorted = [...new Set(times)].sort((a, b) => b - a);
  const gaps = sorted.slice(1, GAPS + 1).map((at, index) => (sorted[index] ?? at) - at);
  const middle = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  if (middle === undefined) return false;
  const alike = gaps.filter((gap) => Math.abs(gap - middle) <= Math.max(LIKE_MS, middle * LIKE_SHARE));
  return alike.length >= LEAST && alike.length * 2 > gaps.length;
}
