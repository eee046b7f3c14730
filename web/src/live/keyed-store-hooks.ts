import { useCallback, useRef, useSyncExternalStore } from "react";
import type { Topics } from "./topics.ts";

/**
 * Compute a value from a whole store, again when one of `topics` changes. The component renders again only
 * if `same` returns false.
 *
 * @param topics a list that stays the same object (a constant outside the component)
 */
export function useSelection<S extends Pick<Topics<K>, "version" | "subscribe">, K extends string, T>(
  store: S,
  topics: readonly K[],
  select: (store: S) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  const last = useRef<{ versions: string; select: (store: S) => T; result: T } | null>(null);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = topics.map((topic) => store.subscribe(topic, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, topics],
  );
  const read = () => {
    const versions = topics.map((topic) => store.version(topic)).join();
    const before = last.current;
    if (before?.versions === versions && before.select === select) return before.result;
    const fresh = select(store);
    const result = before && same(before.result, fresh) ? before.result : fresh;
    last.current = { versions, select, result };
    return result;
  };
  return useSyncExternalStore(subscribe, read);
}
