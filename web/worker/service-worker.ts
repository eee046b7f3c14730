// Stands between the page and the network, so that the page comes up without one. It imports nothing: the build
// copies it to `/worker.js` (see `web/build/worker-plugin.ts`).
declare const self: ServiceWorkerGlobalScope;

/** Names the build that this worker came with; written in by the build. */
const BUILD = "%BUILD%";

/** What the first page is made of, as paths; written in by the build. */
const FIRST: readonly string[] = JSON.parse("%FIRST%");

/** Files of a farmer's other pages, as paths; written in by the build. */
const PAGES: readonly string[] = JSON.parse("%PAGES%");

const SHELL = "mulkko-shell-";
const PHOTOS = "mulkko-photos";
const PAGE = "/";

/** Builds whose files are kept: a tab that still shows the one before may want another piece of it. */
const BUILDS_KEPT = 2;
const PHOTOS_KEPT = 50;
/** Files that a page may ask to be kept at once. */
const ASKED_AT_MOST = 200;
/** A network that does not answer by then, ms, is none: the kept page says what is old. */
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

/** The page as it is served now, so that a newer client is never hidden by this worker; offline the kept one. */
async function page(request: Request): Promise<Response> {
  try {
    const answer = await Promise.race([fetch(request), tooLate()]);
    if (answer.status < 500) return answer;
  } catch {
    // Offline, or as good as.
  }
  return (await caches.match(PAGE)) ?? Response.error();
}

/** A file with a hash in its name never changes. */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.status === 200) await (await openShell()).put(request, answer.clone());
  return answer;
}

/** A photo may be replaced under its name: the network's word counts, the kept one is for when there is none. */
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

/** Keep files of this build, one at a time: what the page waits for goes before. */
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
    // The page comes from the network and its files by their hashes: nothing has to wait for the old one's end.
    await self.skipWaiting();
  };
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  // What the page had before this worker stood, its faces above all; or every page, once the first one is live.
  if (Array.isArray(event.data)) event.waitUntil(keep(event.data.slice(0, ASKED_AT_MOST)));
  else if (event.data === "pages") event.waitUntil(keep(PAGES));
});

const isWall = (path: string): boolean => path === "/wall" || path.startsWith("/wall/");

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  // Whatever else is asked for (readings, commands, the build's name) is between the page and the relay.
  if (request.method !== "GET" || origin !== self.location.origin) return;
  // A wall that cannot be reached says so itself; the kept page would ask it to sign in.
  if (isWall(pathname)) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (pathname.startsWith("/images/")) event.respondWith(photo(request));
});
