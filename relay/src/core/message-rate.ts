/** Counts messages in windows of fixed length (HS-5). */
export interface MessageRate {
  /** One more message at `now` (monotonic ms). @returns false if it is one too many in this window */
  admit(now: number): boolean;
}

export function createMessageRate(limit: number, windowMs: number): MessageRate {
  let startedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    admit(now) {
      if (now - startedAt >= windowMs) {
        startedAt = now;
        count = 0;
      }
      count += 1;
      return count <= limit;
    },
  };
}
