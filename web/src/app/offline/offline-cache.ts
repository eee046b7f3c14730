import { createStore, del, get, set } from "idb-keyval";
import type { Session } from "../../api/session.ts";

/** Service worker's cache of users' photos. */
const PHOTOS = "mulkko-photos";

/** Delete this browser's cached photos; they are cached again when viewed. */
export async function forgetPhotos(): Promise<void> {
  // Without a cache nothing was stored.
  if ("caches" in globalThis) await caches.delete(PHOTOS).catch(() => false);
}

/** Delete all farm data in this browser after sign-out. */
export function forgetAtLogout(session: Pick<Session, "store">, cache: OfflineCache): void {
  const forget = async () => {
    // Without a database nothing was stored.
    await cache.clear().catch(() => undefined);
    await forgetPhotos();
  };
  session.store.subscribe(({ state }, before) => {
    if (state === "signed-out" && before.state !== "signed-out") void forget();
  });
}

/** Storage for one value in this browser; outlives the tab. */
export type OfflineCache = ReturnType<typeof createOfflineCache>;

const KEY = "farm";

/** Create a cache in IndexedDB. Every call rejects if the browser has none, as in some private windows. */
export function createOfflineCache() {
  const store = createStore("mulkko", "kept");
  return {
    /** Return the last stored value; undefined if there is none. */
    read: () => get<unknown>(KEY, store),
    write: (value: unknown) => set(KEY, value, store),
    clear: () => del(KEY, store),
  };
}
