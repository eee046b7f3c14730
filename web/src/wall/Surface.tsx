import "./freshness/stale-banner.css";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { UnplugIcon } from "lucide-react";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { shallow } from "zustand/shallow";
import { lazyPart } from "../components/lazy/retried.ts";
import { isUrgent } from "../domain/alarm/present-alarms.ts";
import { useDeviceTally } from "../domain/farm/use-links.ts";
import { type LiveFarm, useLink, useLiveFarm, useLiveSelection, useServerTime } from "../live/hooks.ts";
import { BUILD } from "../live/stale-build.ts";
import { AlarmFoot } from "./freshness/AlarmFoot.tsx";
import { FreshnessBar } from "./freshness/FreshnessBar.tsx";
import { sameVerdict, type Verdict, verdict } from "./freshness/verdict.ts";
import { Kiosk } from "./kiosk/Kiosk.tsx";
import { reloader } from "./kiosk/page-reloader.ts";
import { isQuiet } from "./kiosk/reload.ts";
import { WallPage } from "./pages/WallPage.tsx";
import { createTurner, pagesWithContent, pinnedPage } from "./rotation/rotation.ts";
import type { DisplaySession } from "./session/display-session.ts";
import { createWaiting, WaitingContext } from "./waiting.ts";
import { useWall } from "./wall-context.ts";

/** Only an administrator's screen loads the alarms of all accounts. */
const FleetFoot = lazyPart(() => import("./freshness/FleetFoot.tsx").then((m) => m.FleetFoot));

const ALARMS = ["alarm"] as const;
const CONTENT = ["sensor.listing", "channel"] as const;

/** Render a paired screen: freshness above, one page, alarms below. */
export function Surface({ session, turnMs }: { session: DisplaySession; turnMs: number | null }) {
  const { settings } = useWall();
  const { turnSeconds } = settings;
  const pages = useLiveSelection(CONTENT, (farm) => pagesWithContent(settings.pages, farm), shallow);
  const everyMs = turnMs ?? turnSeconds * 1000;
  /** The most urgent alarm of another account, on an administrator's screen. */
  const [other, setOther] = useState<Alarm | null>(null);
  const ownUrgent = useLiveSelection(ALARMS, ({ alarms }) => [...alarms.values()].some(isUrgent));
  const urgent = ownUrgent || other !== null;
  const pinned = useLiveSelection(
    ALARMS,
    useCallback(({ alarms }: LiveFarm) => pinnedPage(alarms.values(), pages, other), [pages, other]),
  );
  const turns = useNewBuild(urgent);
  const [turner] = useState(() =>
    createTurner(systemClock, systemTimers, { pages, turnMs: everyMs, pinned }, turns),
  );
  useEffect(() => turner.start(), [turner]);
  useEffect(() => turner.replan({ pages, turnMs: everyMs, pinned }), [turner, pages, everyMs, pinned]);
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === "ArrowRight") turner.turn(1);
      else if (key === "ArrowLeft") turner.turn(-1);
      else turner.noteTouch();
    };
    window.addEventListener("pointerdown", turner.noteTouch);
    window.addEventListener("keydown", press);
    return () => {
      window.removeEventListener("pointerdown", turner.noteTouch);
      window.removeEventListener("keydown", press);
    };
  }, [turner]);
  const { page, lap, stays } = useStore(turner.store);
  const account = useStore(session.store, (state) =>
    state.at === "showing" ? `${state.display.account}` : "",
  );
  const verdict = useVerdict();
  const [waiting] = useState(createWaiting);
  return (
    <Kiosk session={session} urgent={urgent}>
      <WaitingContext value={waiting}>
        <FreshnessBar page={page} stays={stays} live={verdict.kind === "live"} />
        {verdict.kind === "stale" && <StaleBanner verdict={verdict} />}
        <WallPage page={page} lap={lap} dim={verdict.kind === "stale" && verdict.dim} />
        {settings.pages.includes("fleet") ? (
          <Suspense fallback={<AlarmFoot />}>
            <FleetFoot account={account} whole={page === "fleet"} onUrgent={setOther} />
          </Suspense>
        ) : (
          <AlarmFoot />
        )}
      </WaitingContext>
    </Kiosk>
  );
}

/** Return a function to call at each page turn: loads a newer client in a quiet moment (HS-4). */
function useNewBuild(urgent: boolean): () => void {
  const served = useLink((link) => link.servedBuild);
  const farm = useLiveFarm();
  const latest = useRef({ served, urgent });
  useEffect(() => {
    latest.current = { served, urgent };
  }, [served, urgent]);
  return useCallback(() => {
    const quiet = () => !latest.current.urgent && isQuiet(farm());
    reloader.intoNewer(BUILD, latest.current.served, quiet);
  }, [farm]);
}

/** Return the verdict on the screen's freshness and follow its changes. */
function useVerdict(): Verdict {
  const screen = useLink((link) => link.screen.state);
  const silentSince = useLink((link) => link.silentSince);
  const relay = useLink((link) => link.relay);
  const withheld = useLink((link) => link.withheld);
  const devices = useDeviceTally();
  const facts = { screen, silentSince, relay, withheld, devices };
  const last = useRef<Verdict>({ kind: "live" });
  // Time alone changes one thing: stale values become too old.
  const dim = useServerTime((now) => {
    const current = verdict({ ...facts, now });
    return current.kind === "stale" && current.dim;
  });
  const current = verdict({ ...facts, now: 0 });
  const next: Verdict = current.kind === "live" ? current : { ...current, dim };
  if (!sameVerdict(last.current, next)) last.current = next;
  return last.current;
}

/** Show the time of the displayed values when they are outdated, and the broken link. */
function StaleBanner({ verdict }: { verdict: Extract<Verdict, { kind: "stale" }> }) {
  const { t } = useTranslation("wall");
  const { texts } = useWall();
  return (
    <div className="stale-banner" data-testid="stale-banner" role="status">
      <UnplugIcon />
      <strong>
        {verdict.asOf === null
          ? t("freshness.never")
          : t("freshness.asOf", { time: texts.dayTime(verdict.asOf) })}
      </strong>
      <span>{t(`freshness.${verdict.link}`)}</span>
    </div>
  );
}
