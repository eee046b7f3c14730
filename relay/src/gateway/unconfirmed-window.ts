/**
 * Counts the bytes that one session was sent and has not confirmed (SLOW-1). The kernel buffers megabytes
 * before a socket shows a slow reader, so only returned markers prove arrival.
 */
export interface UnconfirmedWindow {
  /** Bytes sent since the last confirmed marker. */
  outstanding(): number;
  /** Bytes sent since the last marker went out. */
  unmarked(): number;
  /** Number of markers in flight. */
  inFlight(): number;
  /** When the oldest marker in flight was sent, monotonic ms; null without one. */
  oldestMarkAt(): number | null;
  /** True if the bytes stay within the window; a single larger message fits when nothing is outstanding. */
  fits(bytes: number): boolean;
  sent(bytes: number): void;
  /** Send a marker at `now` (monotonic ms). @returns its number */
  mark(now: number): number;
  /** Confirm everything before a returned marker. @returns false for a number that is not in flight */
  confirm(marker: number): boolean;
}

interface Mark {
  number: number;
  total: number;
  at: number;
}

/** @param windowBytes upper bound of unconfirmed bytes */
export function createUnconfirmedWindow(windowBytes: number): UnconfirmedWindow {
  let total = 0;
  let confirmed = 0;
  let marked = 0;
  let next = 1;
  // Each marker but the first needs bytes sent since, so the window bounds their number.
  let marks: Mark[] = [];
  return {
    // Methods, not getters: V8 turns literals with getters into dictionaries, and every frame calls these.
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
