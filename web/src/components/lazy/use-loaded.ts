import { useEffect, useState } from "react";
import { missingStyles, nextAttempt } from "./retried.ts";

/** State of a lazily loaded value. */
export type Loaded<T> = { state: "loading" } | { state: "there"; value: T } | { state: "failed" };

/**
 * Load code when the component mounts, and retry after each failure while it is mounted.
 *
 * @param load must be a stable function
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  useEffect(() => {
    const stop = new AbortController();
    const bring = async () => {
      while (!stop.signal.aborted) {
        try {
          const value = await load();
          await missingStyles();
          if (!stop.signal.aborted) setLoaded({ state: "there", value });
          return;
        } catch {
          if (!stop.signal.aborted) setLoaded({ state: "failed" });
          await nextAttempt(stop.signal);
        }
      }
    };
    void bring();
    return () => stop.abort();
  }, [load]);
  return loaded;
}
