import { useEffect, useState } from "react";
import { useIsLive } from "../live/hooks.ts";
import type { RestClient } from "./client.ts";
import { useRest } from "./hooks.ts";

/**
 * Poll while the page is live. The last answer stays while the server does not answer.
 *
 * @param ask the call; stable as long as the query is the same; null sends nothing
 * @returns null until there is an answer
 */
export function usePolled<T>(
  ask: ((rest: RestClient, signal: AbortSignal) => Promise<T>) | null,
  everyMs: number,
): T | null {
  const { client } = useRest();
  const live = useIsLive();
  const [answer, setAnswer] = useState<T | null>(null);
  useEffect(() => {
    if (!live || ask === null) return;
    const abort = new AbortController();
    // The header shows that the server is unreachable.
    const round = () => ask(client, abort.signal).then(setAnswer, () => undefined);
    void round();
    const timer = setInterval(() => void round(), everyMs);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, live, ask, everyMs]);
  return answer;
}
