// Serves the page without a network. It has no imports: the build copies it to `/worker.js` (see
// `web/build/worker-plugin.ts`).
declare const self: ServiceWorkerGlobalScope;

/** Name of this worker's build; inserted by the build. */
const BUILD = "%BUILD%";

/** Paths of the first page's files; inserted by the build. */
const FIRST: readonly string[] = JSON.parse("%FIRST%");

/** Paths of the files of a farmer's other pages; inserted by the build. */
const PAGES: readonly string[] = JSON.parse("%PAGES%");

const SHELL = "mulkko-shell-";
const PHOTOS = "mulkko-photos";
const PAGE = "/";

/** Number of cached builds: a tab with the previous one may need another file of it. */
const BUILDS_KEPT = 2;
const PHOTOS_KEPT = 50;
/** Maximum number of files that a page may ask to cache at once. */
const ASKED_AT_MOST = 200;
/** Timeout of the network, ms: after it the cached page is served, which marks old values. */
const PAGE_WITHIN_MS = 5_000;

const openShell = (): Promise<Cache> => caches.open(SHELL + BUILD);

async function dropOldBuilds(): Promise<void> {
  const builds = (await caches.keys()).filter((name) => name.startsWith(SHELL) && name !== SHELL + BUILD);
  await Promise.all(
    builds.slice(0, Math.max(0, builds.length - (BUILDS_KEPT - 1))).map((name) => caches.delete(name)),
  );
}

const tooLate = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error("the network took too long")), PAGE_WITHIN_MS);
  });

/** Serve the current page, so that this worker never hides a newer client; offline the cached one. */
async function page(request: Request): Promise<Response> {
  try {
    const answer = await Promise.race([fetch(request), tooLate()]);
    if (answer.status < 500) return answer;
  } catch {
    // Offline, or too slow.
  }
  return (await caches.match(PAGE)) ?? Response.error();
}

/** Serve a file from the cache: a file with a hash in its name never changes. */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.status === 200) await (await openShell()).put(request, answer.clone());
  return answer;
}

/** Serve a photo from the network, because it may be replaced under its name; offline the cached one. */
async function photo(request: Request): Promise<Response> {
  const photos = await caches.open(PHOTOS);
  try {
    const answer = await fetch(request);
    if (answer.status === 200) {
      await photos.put(request, answer.clone());
      const kept = await photos.keys();
      await Promise.all(
        kept.slice(0, Math.max(0, kept.length - PHOTOS_KEPT)).map((old) => photos.delete(old)),
      );
    }
    return answer;
  } catch {
    return (await photos.match(request)) ?? Response.error();
  }
}

/** Cache files of this build, one at a time: the page's own requests have priority. */
async function keep(paths: readonly unknown[]): Promise<void> {
  const shell = await openShell();
  for (const path of paths) {
    if (typeof path !== "string" || !path.startsWith("/assets/")) continue;
    if (!(await caches.match(path))) await shell.add(path);
  }
}

self.addEventListener("install", (event) => {
  const install = async (): Promise<void> => {
    await (await openShell()).addAll([...FIRST]);
    // The page comes from the network and its files have hashes: the new worker need not wait for the old
    // one.
    await self.skipWaiting();
  };
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  // Files that the page loaded before this worker was active, mainly fonts; or every page, once the first one
  // is live.
  if (Array.isArray(event.data)) event.waitUntil(keep(event.data.slice(0, ASKED_AT_MOST)));
  else if (event.data === "pages") event.waitUntil(keep(PAGES));
});

const isWall = (path: string): boolean => path === "/wall" || path.startsWith("/wall/");

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  // All other requests (readings, commands, the build's name) pass between the page and the relay.
  if (request.method !== "GET" || origin !== self.location.origin) return;
  // A wall reports an unreachable relay itself; the cached page would ask it to sign in.
  if (isWall(pathname)) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (pathname.startsWith("/images/")) event.respondWith(photo(request));
});
