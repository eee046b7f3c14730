import { useEffect, useState } from "react";
import type { RestClient } from "../api/client.ts";
import { useClient } from "../api/hooks.ts";

/** Polled value. The last answer stays while the server does not answer. */
export interface Polled<T> {
  /** Null until there is an answer. */
  readonly value: T | null;
  /** True if the last call failed. */
  readonly failed: boolean;
}

/**
 * Poll for a screen. The wall has a small first load of its own and does not use the cache of the pages.
 *
 * @param ask the call; stable as long as the query is the same; null sends nothing
 */
export function usePolled<T>(
  ask: ((rest: RestClient, signal: AbortSignal) => Promise<T>) | null,
  everyMs: number,
): Polled<T> {
  const client = useClient();
  const [polled, setPolled] = useState<Polled<T>>({ value: null, failed: false });
  useEffect(() => {
    if (ask === null) return;
    const abort = new AbortController();
    const round = () =>
      ask(client, abort.signal).then(
        (value) => setPolled({ value, failed: false }),
        () => {
          if (!abort.signal.aborted) setPolled(({ value }) => ({ value, failed: true }));
        },
      );
    void round();
    const timer = setInterval(() => void round(), everyMs);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, ask, everyMs]);
  return polled;
}
