import { useCallback, useRef, useSyncExternalStore } from "react";
import type { KeyedStore } from "./keyed-store.ts";

type Followed<T extends string> = Pick<KeyedStore<unknown, T>, "version" | "subscribe">;

/** Read from a store and follow one key or topic. @param read must return the same object while nothing changes */
export function useFollowed<S extends Pick<Followed<string>, "subscribe">, R>(
  store: S,
  keyOrTopic: string,
  read: (store: S) => R,
): R {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribe(keyOrTopic, listener),
    [store, keyOrTopic],
  );
  return useSyncExternalStore(subscribe, () => read(store));
}

/**
 * Compute a value from a whole store, again when one of `topics` changes. The component renders again only
 * if `same` returns false.
 *
 * @param topics a list that stays the same object (a constant outside the component)
 */
export function useSelection<S extends Followed<T>, T extends string, R>(
  store: S,
  topics: readonly T[],
  select: (store: S) => R,
  same: (a: R, b: R) => boolean = Object.is,
): R {
  const last = useRef<{ versions: string; select: (store: S) => R; result: R } | null>(null);
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
