import { useEffect, useState } from "react";
import type { RestClient } from "../api/client.ts";
import { useClient } from "../api/hooks.ts";

/**
 * Poll for a screen: `value` is null until there is an answer and stays while the server does not answer;
 * `failed` is true if the last call failed. The wall has a small first load of its own and does not use the
 * cache of the pages.
 *
 * @param ask the call; stable as long as the query is the same; null sends nothing
 */
export function usePolled<T>(
  ask: ((rest: RestClient, signal: AbortSignal) => Promise<T>) | null,
  everyMs: number,
) {
  const client = useClient();
  const [polled, setPolled] = useState<{ value: T | null; failed: boolean }>({ value: null, failed: false });
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
