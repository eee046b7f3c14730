import { loadWords } from "../../i18n/words.ts";
import { prepareToasts } from "../../ui/feedback/toaster.tsx";
import { keepPages } from "../offline/register-worker.ts";

/** Loaders of the pages that users open next, most likely first. */
const NEXT: readonly (() => Promise<unknown>)[] = [
  async () => prepareToasts(),
  () => loadWords(["sensors", "controller"]),
  () => import("../../features/sensors/SensorsPage.tsx"),
  () => import("../../features/controller/ControllersPage.tsx"),
  () => import("./BellLists.tsx"),
  keepPages,
];

/**
 * Delay after the farm is displayed, ms. Starting to load a page's files blocks a slow phone for a tenth of a
 * second and more, and a user who has just arrived is about to press something.
 */
const AHEAD_AFTER_MS = 8_000;

/** Interval between two parts in a browser without idle callbacks, ms. */
const IDLE_GUESS_MS = 2_000;

/** Call back when the browser is idle. */
const whenIdle = (run: () => void): void => {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run);
  else setTimeout(run, IDLE_GUESS_MS);
};

const savesData = (): boolean =>
  "connection" in navigator &&
  typeof navigator.connection === "object" &&
  navigator.connection !== null &&
  "saveData" in navigator.connection &&
  navigator.connection.saveData === true;

/**
 * Preload the likely next pages, one part at a time while the page is idle, so that they open at once.
 * Skipped if the user enabled data saving.
 *
 * @returns a function that cancels before the start
 */
export function bringAhead(): () => void {
  if (savesData()) return () => undefined;
  const pieces = [...NEXT];
  const bringOne = () => {
    const piece = pieces.shift();
    // A failed preload is retried when the user opens the page.
    if (piece)
      piece().then(
        () => whenIdle(bringOne),
        () => undefined,
      );
  };
  const timer = setTimeout(() => whenIdle(bringOne), AHEAD_AFTER_MS);
  return () => clearTimeout(timer);
}
