import "../theme/tokens.css";
import "../theme/base.css";
import "../theme/fonts.ts";
import "./wall.css";
import { OwnDisplay, PairingAnswer, PairingCode } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { createRoot } from "react-dom/client";
import { type Fetch, performCall } from "../api/http.ts";
import { startTranslations } from "../i18n/translations.ts";
import { reloader } from "./kiosk/page-reloader.ts";
import { createPairing, type PairingCalls } from "./pairing/pairing.ts";
import { createDisplaySession, createDisplayStorage } from "./session/display-session.ts";
import { Wall } from "./Wall.tsx";

/**
 * Global variable by which a soak test sets the turn time before the page loads; no address and no setting
 * does.
 */
const NAME = "mulkkoWallTurnMs";

/** Minimum turn time, ms: a page has to render once. */
const LEAST_MS = 50;

/**
 * Return the turn time of a soak test, ms, which needs hundreds of turns in minutes; null: use the settings.
 */
function prescribedTurnMs(page: object): number | null {
  const ms: unknown = Reflect.get(page, NAME);
  return typeof ms === "number" && Number.isFinite(ms) ? Math.max(LEAST_MS, ms) : null;
}

/** Delay before reloading a page whose translations failed to load, ms. */
const TRANSLATIONS_AGAIN_MS = 10_000;

const root = document.getElementById("root");
if (!root) throw new Error("wall.html has no #root");

const fetcher: Fetch = (input, init) => fetch(input, init);
const session = createDisplaySession({
  storage: createDisplayStorage(localStorage),
  askDisplay: (token) =>
    performCall(fetcher, { method: "GET", path: relayPath.ownDisplay, answer: OwnDisplay }, token),
  timers: systemTimers,
  random: Math.random,
});
const calls: PairingCalls = {
  askCode: () =>
    performCall(fetcher, { method: "POST", path: relayPath.displayCodes, answer: PairingCode }, null),
  askToken: (deviceCode) =>
    performCall(
      fetcher,
      { method: "POST", path: relayPath.displayToken, answer: PairingAnswer, body: { deviceCode } },
      null,
    ),
};
const pairing = createPairing({
  calls,
  clock: systemClock,
  timers: systemTimers,
  random: Math.random,
  approved: session.paired,
});

session.start();
startTranslations(["app", "wall"]).then(
  () =>
    createRoot(root).render(
      <Wall session={session} pairing={pairing} fetcher={fetcher} turnMs={prescribedTurnMs(window)} />,
    ),
  () => {
    // Without translations there is nothing to show, and no user to reload the page.
    const again = () => {
      reloader.whenServed();
      systemTimers.after(TRANSLATIONS_AGAIN_MS, again);
    };
    systemTimers.after(TRANSLATIONS_AGAIN_MS, again);
  },
);
