import { clientsClaim } from "workbox-core";
import type { WorkboxPlugin } from "workbox-core/types.js";
import { matchPrecache, type PrecacheEntry, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CacheFirst, NetworkFirst, NetworkOnly } from "workbox-strategies";
import { LATER } from "./later.ts";

// Serves the page without a network. `vite-plugin-pwa` builds it as `/worker.js` and inserts the page and the
// files of every page (`vite.config.ts`), those of the farm's water first (UI-6). Readings, commands and walls never pass through it.
declare const __BUILD_ID__: string;
declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: PrecacheEntry[] };

/** Name shared with `forgetPhotos`, which deletes this cache at sign-out. */
const PHOTOS = "mulkko-photos";

/** Files of the pages that are not installed at once. */
const PAGES = "mulkko-pages";

/** Timeout of the network, s: after it the cached page is served, which marks old values. */
const PAGE_WITHIN_S = 5;

/**
 * Delete the oldest entries of a cache. workbox-expiration would keep the addresses in a database of its own,
 * which outlives the sign-out.
 */
const keepNewest = (maximum: number): WorkboxPlugin => ({
  async cacheDidUpdate({ cacheName }) {
    const cache = await caches.open(cacheName);
    const kept = await cache.keys();
    await Promise.all(kept.slice(0, Math.max(0, kept.length - maximum)).map((old) => cache.delete(old)));
  },
});

/** Serve the cached page without an answer, and instead of a failing server's one. */
const fallBackToCache: WorkboxPlugin = {
  async fetchDidSucceed({ response }) {
    if (response.status >= 500) throw new Error(`the page was answered with ${response.status}`);
    return response;
  },
  handlerDidError: () => matchPrecache("/index.html"),
};

// The current page, so that this worker never hides a newer client; offline the cached one. Registered before
// the cached files, which include the page. A wall reports an unreachable relay itself.
registerRoute(
  new NavigationRoute(new NetworkOnly({ networkTimeoutSeconds: PAGE_WITHIN_S, plugins: [fallBackToCache] }), {
    denylist: [/^\/wall(?:[/?]|$)/, /^\/(?:api|relay|socket\.io|live|images)(?:[/?]|$)/],
  }),
);

const files = self.__WB_MANIFEST;
const isLater = (file: PrecacheEntry | string): file is PrecacheEntry =>
  typeof file !== "string" && file.revision === LATER;

// Installed at once: the page, and what shows and closes the farm's water.
precacheAndRoute(files.filter((file) => !isLater(file)));

/** Paths of the files of all other pages, which are stored afterwards. */
const laterFiles = new Set(files.filter(isLater).map(({ url }) => new URL(url, self.location.href).pathname));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && laterFiles.has(url.pathname),
  new CacheFirst({ cacheName: PAGES }),
);

/** Store the files of all other pages that are missing, one after the other: the page's own calls come first. */
async function storeLater(): Promise<void> {
  const cache = await caches.open(PAGES);
  const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  for (const path of laterFiles) if (!stored.has(path)) await cache.add(path);
}

/** Delete the files of earlier builds. */
async function deleteOldFiles(): Promise<void> {
  const cache = await caches.open(PAGES);
  const old = (await cache.keys()).filter(({ url }) => !laterFiles.has(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request)));
}

// Fonts and rare files on use: a file with a hash in its name never changes.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/assets/"),
  new CacheFirst({ cacheName: "mulkko-assets", plugins: [keepNewest(300)] }),
);

// A photo may be replaced under its name.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/images/"),
  new NetworkFirst({ cacheName: PHOTOS, plugins: [keepNewest(50)] }),
);

/** Delete the caches of the worker of version 0.2 and earlier. */
async function deleteOldCaches(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith("mulkko-shell-"));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/**
 * Replace the worker of the previous build for the only open page, if that page is of this build. A page of
 * the previous build may still need its cached files, and reloads by itself at a quiet moment (HS-4).
 */
async function takeOver(build: unknown): Promise<void> {
  if (build !== __BUILD_ID__) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length <= 1) await self.skipWaiting();
}

self.addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([deleteOldCaches(), deleteOldFiles()])),
);
self.addEventListener("message", (event) => {
  if (event.data?.type === "TAKE_OVER") event.waitUntil(takeOver(event.data.build));
  // Without a network the next page continues.
  if (event.data?.type === "STORE_LATER") event.waitUntil(storeLater().catch(() => undefined));
});
clientsClaim();
