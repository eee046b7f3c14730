import { BUILD } from "../build.ts";

const WORKER = "/worker.js";

/** Files of this build that the page has fetched so far. */
const fetchedFiles = (): string[] =>
  performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);

/**
 * Puts the service worker between this page and the network, once the page has loaded. Browsers have none on a page
 * that came over plain HTTP, unless it is this machine's own.
 */
export function registerWorker(): void {
  if (!("serviceWorker" in navigator) || BUILD === "dev") return;
  const register = async () => {
    try {
      await navigator.serviceWorker.register(WORKER);
      const { active } = await navigator.serviceWorker.ready;
      // What came before it stood, the faces of this language above all, it could not keep by itself.
      active?.postMessage(fetchedFiles());
    } catch {
      // Refused by the browser's settings: the page works without, and only does not start offline.
    }
  };
  window.addEventListener("load", () => void register(), { once: true });
}

/** Have the worker keep every page of a farmer, so that all of them open without a network. */
export async function keepPages(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // Never there where the worker was refused.
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(fetchedFiles());
  active?.postMessage("pages");
}
