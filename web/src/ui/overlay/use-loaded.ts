import { useEffect, useState } from "react";
import { missingStyles, nextAttempt } from "../lazy/retried.ts";

/** Something that is fetched when it is needed. */
export type Loaded<T> = { state: "loading" } | { state: "there"; value: T } | { state: "failed" };

/**
 * Fetch code when the component that wants it is drawn, and again after each failure as long as it is.
 *
 * @param load stays the same function
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
