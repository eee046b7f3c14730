/**
 * Counts what one session has been sent and has not yet confirmed (SLOW-1). The kernel takes megabytes before a
 * socket shows that its reader is slow, so only markers that come back tell what has arrived.
 */
export interface UnconfirmedWindow {
  /** Bytes sent since the last confirmed marker. */
  outstanding(): number;
  /** Bytes sent since the last marker went out. */
  unmarked(): number;
  /** Markers on their way. */
  inFlight(): number;
  /** When the oldest marker that is on its way went out, monotonic ms; null without one. */
  oldestMarkAt(): number | null;
  /** True if so many bytes more stay within the window; a single larger message goes out when nothing is open. */
  fits(bytes: number): boolean;
  sent(bytes: number): void;
  /** A marker goes out at `now` (monotonic ms). @returns its number */
  mark(now: number): number;
  /** A marker came back: it confirms all before it. @returns false for a number that is not on its way */
  confirm(marker: number): boolean;
}

interface Mark {
  number: number;
  total: number;
  at: number;
}

/** @param windowBytes most bytes that may be unconfirmed */
export function createUnconfirmedWindow(windowBytes: number): UnconfirmedWindow {
  let total = 0;
  let confirmed = 0;
  let marked = 0;
  let next = 1;
  // Each marker but the first needs bytes sent since, so the window bounds their number.
  let marks: Mark[] = [];
  return {
    // Methods, not getters: literals with getters are dictionaries to V8, and every frame asks here.
    outstanding: () => total - confirmed,
    unmarked: () => total - marked,
    inFlight: () => marks.length,
    oldestMarkAt: () => marks[0]?.at ?? null,
    fits: (bytes) => total === confirmed || total - confirmed + bytes <= windowBytes,
    sent(bytes) {
      total += bytes;
    },
    mark(now) {
      marked = total;
      const number = next++;
      marks.push({ number, total, at: now });
      return number;
    },
    confirm(marker) {
      const found = marks.find((mark) => mark.number === marker);
      if (!found) return false;
      confirmed = found.total;
      marks = marks.filter((mark) => mark.number > marker);
      return true;
    },
  };
}
