/** Calls that several may wait for at once: one work for all, given up when nobody waits any more. */
export interface SharedCalls<V> {
  /**
   * Joins the work under way of that key, or begins it.
   *
   * @returns `began`: whether this caller's own work was done for it
   * @throws the reason of `signal` as soon as this caller gives up; others go on waiting
   */
  join(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<V>,
  ): { readonly began: boolean; readonly result: Promise<V> };
}

export function createSharedCalls<V>(): SharedCalls<V> {
  const underWay = new Map<string, { result: Promise<V>; waiting: number; abort: AbortController }>();

  return {
    join(key, signal, work) {
      if (signal.aborted) return { began: false, result: Promise.reject(signal.reason) };
      const known = underWay.get(key);
      const abort = known?.abort ?? new AbortController();
      const call = known ?? { abort, waiting: 0, result: work(abort.signal) };
      if (!known) {
        underWay.set(key, call);
        const over = (): void => {
          if (underWay.get(key) === call) underWay.delete(key);
        };
        call.result.then(over, over);
      }
      call.waiting += 1;
      const result = new Promise<V>((resolve, reject) => {
        const leave = (): void => {
          signal.removeEventListener("abort", giveUp);
          call.waiting -= 1;
          if (call.waiting > 0) return;
          // Whoever comes now begins anew: this work is on its way out.
          if (underWay.get(key) === call) underWay.delete(key);
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
