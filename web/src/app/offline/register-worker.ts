import { BUILD } from "../build.ts";

const WORKER = "/worker.js";

/** Return the files of this build that the page has loaded so far. */
const fetchedFiles = (): string[] =>
  performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);

/**
 * Register the service worker after the page has loaded. Browsers offer none to a page over plain HTTP,
 * except on localhost.
 */
export function registerWorker(): void {
  if (!("serviceWorker" in navigator) || BUILD === "dev") return;
  const register = async () => {
    try {
      await navigator.serviceWorker.register(WORKER);
      const { active } = await navigator.serviceWorker.ready;
      // The worker could not cache files loaded before it was active, mainly the language's fonts.
      active?.postMessage(fetchedFiles());
    } catch {
      // Refused by the browser's settings: the page works, but does not start offline.
    }
  };
  window.addEventListener("load", () => void register(), { once: true });
}

/** ms after the farm is displayed; a user who has just arrived is about to press something. */
const KEEP_AFTER_MS = 8_000;

/**
 * Let the worker cache every farmer page after a while, so that all of them open at once, and without a
 * network.
 *
 * @returns a function that cancels before the start
 */
export function keepPagesLater(): () => void {
  const timer = setTimeout(() => void keepPages(), KEEP_AFTER_MS);
  return () => clearTimeout(timer);
}

async function keepPages(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // Never resolves if the worker was refused.
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(fetchedFiles());
  active?.postMessage("pages");
}
