import { createStore, del, get, set } from "idb-keyval";

/** Storage for one value in this browser; outlives the tab. */
export interface OfflineCache {
  /** Return the last stored value; undefined if there is none. */
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
  clear(): Promise<void>;
}

const KEY = "farm";

/** Create a cache in IndexedDB. Every call rejects if the browser has none, as in some private windows. */
export function createOfflineCache(): OfflineCache {
  const store = createStore("mulkko", "kept");
  return {
    read: () => get<unknown>(KEY, store),
    write: (value) => set(KEY, value, store),
    clear: () => del(KEY, store),
  };
}
