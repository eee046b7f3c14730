/** Storage for one value in this browser; outlives the tab. */
export interface OfflineCache {
  /** Return the last stored value; undefined if there is none. */
  read(): Promise<unknown>;
  write(value: unknown): Promise<void>;
  clear(): Promise<void>;
}

const DATABASE = "mulkko";
const STORE = "kept";
const KEY = "farm";

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database refused"));
  });

/** Create a cache in IndexedDB. Every call rejects if the browser has none, as in some private windows. */
export function createOfflineCache(): OfflineCache {
  const use = async <T>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await done(opening);
    try {
      return await done(act(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  };
  return {
    read: () => use<unknown>("readonly", (store) => store.get(KEY)),
    async write(value) {
      await use("readwrite", (store) => store.put(value, KEY));
    },
    async clear() {
      await use("readwrite", (store) => store.delete(KEY));
    },
  };
}
