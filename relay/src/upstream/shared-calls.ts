/** Shares one execution between concurrent callers of a key, and cancels it when the last caller gives up. */
export interface SharedCalls<V> {
  /**
   * Join the execution in progress for that key, or start it.
   *
   * @returns `began`: true if this call started the execution
   * @throws the reason of `signal` as soon as this caller gives up; others continue to wait
   */
  join(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<V>,
  ): { readonly began: boolean; readonly result: Promise<V> };
}

export function createSharedCalls<V>(): SharedCalls<V> {
  const inFlight = new Map<string, { result: Promise<V>; waiting: number; abort: AbortController }>();

  return {
    join(key, signal, work) {
      if (signal.aborted) return { began: false, result: Promise.reject(signal.reason) };
      const known = inFlight.get(key);
      const abort = known?.abort ?? new AbortController();
      const call = known ?? { abort, waiting: 0, result: work(abort.signal) };
      if (!known) {
        inFlight.set(key, call);
        const over = (): void => {
          if (inFlight.get(key) === call) inFlight.delete(key);
        };
        call.result.then(over, over);
      }
      call.waiting += 1;
      const result = new Promise<V>((resolve, reject) => {
        const leave = (): void => {
          signal.removeEventListener("abort", giveUp);
          call.waiting -= 1;
          if (call.waiting > 0) return;
          // A later caller starts a new execution, because this one is being cancelled.
          if (inFlight.get(key) === call) inFlight.delete(key);
          call.abort.abort();
        };
        const giveUp = (): void => {
          leave();
          reject(signal.reason);
        };
        signal.addEventListener("abort", giveUp);
        call.result.then(resolve, reject).finally(() => {
          if (!signal.aborted) leave();
        });
      });
      return { began: !known, result };
    },
  };
}
