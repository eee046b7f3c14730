import { BUILD } from "../../live/stale-build.ts";

/** ms after the farm is displayed; a user who has just arrived is about to press something. */
const REGISTER_AFTER_MS = 2_000;

/** ms from the first files, which open and close water, to the files of all other pages (UI-6). */
const STORE_LATER_AFTER_MS = 8_000;

/** Return the files of this build that the page has loaded so far. */
const fetchedFiles = (): string[] =>
  performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);

/**
 * Register the service worker after a while. It caches every page of a farmer, so that all of them open at
 * once, and without a network. Browsers offer none to a page over plain HTTP, except on localhost.
 *
 * @returns a function that cancels before the start
 */
export function registerWorkerLater(): () => void {
  const timer = setTimeout(() => void registerWorker(), REGISTER_AFTER_MS);
  return () => clearTimeout(timer);
}

async function registerWorker(): Promise<void> {
  if (!("serviceWorker" in navigator) || BUILD === "dev") return;
  try {
    const { waiting } = await navigator.serviceWorker.register("/worker.js");
    waiting?.postMessage({ type: "TAKE_OVER", build: BUILD });
    // Never resolves if the installation fails.
    const { active } = await navigator.serviceWorker.ready;
    // Workbox caches these by its routes: fonts loaded before the worker was active.
    active?.postMessage({ type: "CACHE_URLS", payload: { urlsToCache: fetchedFiles() } });
    setTimeout(() => active?.postMessage({ type: "STORE_LATER" }), STORE_LATER_AFTER_MS);
  } catch {
    // Refused by the browser's settings: the page works, but does not start offline.
  }
}
