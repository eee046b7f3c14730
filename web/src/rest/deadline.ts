/** What ends a call before its answer. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The answer is there: nothing is waited for any more. */
  over(): void;
}

/**
 * Ends with the caller's own signal, or after so many ms. By hand, as the browsers of many televisions have neither
 * `AbortSignal.any` nor `AbortSignal.timeout`.
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
