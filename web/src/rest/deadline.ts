/** Abort of a call before its answer. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Cancel the deadline after the answer. */
  over(): void;
}

/**
 * Abort with the caller's own signal, or after a time in ms. Hand-written: many televisions' browsers lack
 * `AbortSignal.any` and `AbortSignal.timeout`.
 */
export function createDeadline(ms: number, own: AbortSignal | undefined): Deadline {
  const both = new AbortController();
  const end = () => both.abort(own?.reason);
  const timer = setTimeout(() => both.abort(new DOMException("no answer in time", "TimeoutError")), ms);
  if (own?.aborted) end();
  else own?.addEventListener("abort", end);
  return {
    signal: both.signal,
    over() {
      clearTimeout(timer);
      own?.removeEventListener("abort", end);
    },
  };
}
