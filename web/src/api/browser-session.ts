import { createSession, type Session } from "./session.ts";
import {
  createLeaseLock,
  createNavigatorLock,
  createSessionStorage,
  createTabChannel,
  type TabLock,
} from "./session-tabs.ts";

const NAME = "mulkko.session";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Wait, but end early when the browser has a network again. */
const waitForNetwork = (ms: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
  });

function createLock(): TabLock {
  // `navigator.locks` is missing on a page over plain HTTP.
  if ("locks" in navigator) return createNavigatorLock(navigator.locks, NAME);
  return createLeaseLock(localStorage, `${NAME}.lease`, Date.now, wait, Math.random);
}

/** Create the session with this browser's storages. */
export function createBrowserSession(): Session {
  return createSession({
    fetch: (input, init) => fetch(input, init),
    storage: createSessionStorage(sessionStorage, localStorage),
    channel: createTabChannel(NAME),
    lock: createLock(),
    wait,
    waitForNetwork,
  });
}
