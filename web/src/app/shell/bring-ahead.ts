import { loadWords } from "../../i18n/words.ts";
import { prepareToasts } from "../../ui/feedback/toaster.tsx";
import { keepPages } from "../offline/register-worker.ts";

/** What people reach for next, most likely first. */
const NEXT: readonly (() => Promise<unknown>)[] = [
  async () => prepareToasts(),
  () => loadWords(["sensors", "controller"]),
  () => import("../../features/sensors/SensorsPage.tsx"),
  () => import("../../features/controller/ControllersPage.tsx"),
  () => import("./BellLists.tsx"),
  keepPages,
];

/**
 * After the farm is on the screen, ms. To put a page's files on their way takes a slow phone a tenth of a second and
 * more, and whoever has just come is about to press something.
 */
const AHEAD_AFTER_MS = 8_000;

/** Where the browser cannot tell when it is idle, ms between two pieces. */
const IDLE_GUESS_MS = 2_000;

/** Calls back when nothing else is to be done. */
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
 * Fetches what people reach for next, a piece at a time while the page is idle, so that it opens at once. Not for
 * those who asked their browser to save data.
 *
 * @returns calls it off, as long as it has not begun
 */
export function bringAhead(): () => void {
  if (savesData()) return () => undefined;
  const pieces = [...NEXT];
  const bringOne = () => {
    const piece = pieces.shift();
    // What cannot be had now is asked for again by who goes there.
    if (piece)
      piece().then(
        () => whenIdle(bringOne),
        () => undefined,
      );
  };
  const timer = setTimeout(() => whenIdle(bringOne), AHEAD_AFTER_MS);
  return () => clearTimeout(timer);
}
