import type { Session } from "../../rest/session.ts";
import type { Shelf } from "./shelf.ts";

/** The service worker's cache of what people have photographed. */
const PHOTOS = "mulkko-photos";

/** Drops the pictures that this browser keeps; those that are looked at again are kept again. */
export async function forgetPhotos(): Promise<void> {
  // Where there is no cache, nothing was kept.
  if ("caches" in globalThis) await caches.delete(PHOTOS).catch(() => false);
}

/** Leaves nothing of a farm in this browser once nobody is signed in. */
export function forgetAtLogout(session: Pick<Session, "store">, shelf: Shelf): void {
  const forget = async () => {
    // Where there is no database, nothing was kept.
    await shelf.clear().catch(() => undefined);
    await forgetPhotos();
  };
  session.store.subscribe(({ state }, before) => {
    if (state === "signed-out" && before.state !== "signed-out") void forget();
  });
}
