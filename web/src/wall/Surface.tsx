import type { DisplayPage } from "@mulkko/shared/rest/displays";
import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import { isUrgent } from "../domain/alarm/present-alarms.ts";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import { AlarmFoot } from "./freshness/AlarmFoot.tsx";
import { FreshnessBar } from "./freshness/FreshnessBar.tsx";
import { StaleBanner } from "./freshness/StaleBanner.tsx";
import { useVerdict } from "./freshness/use-verdict.ts";
import { Kiosk } from "./kiosk/Kiosk.tsx";
import { useNewBuild } from "./kiosk/use-new-build.ts";
import { WallPage } from "./pages/WallPage.tsx";
import { pagesWithContent, pinnedPage } from "./rotation/rotation.ts";
import { createTurner } from "./rotation/turning.ts";
import type { DisplaySession } from "./session/display-session.ts";
import { createWaiting, WaitingContext } from "./waiting.ts";
import { useWall } from "./wall-context.ts";

const ALARMS = ["alarm"] as const;
const CONTENT = ["sensor.listing", "channel"] as const;

const samePages = (a: readonly DisplayPage[], b: readonly DisplayPage[]): boolean => a.join() === b.join();

/** Render a paired screen: freshness above, one page, alarms below. */
export function Surface({ session, turnMs }: { session: DisplaySession; turnMs: number | null }) {
  const { settings } = useWall();
  const { turnSeconds } = settings;
  const pages = useLiveSelection(
    CONTENT,
    useCallback((farm: LiveFarm) => pagesWithContent(settings.pages, farm), [settings.pages]),
    samePages,
  );
  const everyMs = turnMs ?? turnSeconds * 1000;
  const urgent = useLiveSelection(
    ALARMS,
    useCallback(({ alarms }: LiveFarm) => [...alarms.values()].some(isUrgent), []),
  );
  const pinned = useLiveSelection(
    ALARMS,
    useCallback(({ alarms }: LiveFarm) => pinnedPage(alarms.values(), pages), [pages]),
  );
  const turns = useNewBuild();
  const [turner] = useState(() =>
    createTurner({
      clock: systemClock,
      timers: systemTimers,
      plan: { pages, turnMs: everyMs, pinned },
      turns,
    }),
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
  const verdict = useVerdict();
  const [waiting] = useState(createWaiting);
  return (
    <Kiosk session={session} urgent={urgent}>
      <WaitingContext value={waiting}>
        <FreshnessBar page={page} stays={stays} live={verdict.kind === "live"} />
        {verdict.kind === "stale" && <StaleBanner verdict={verdict} />}
        <WallPage page={page} lap={lap} dim={verdict.kind === "stale" && verdict.dim} />
        <AlarmFoot />
      </WaitingContext>
    </Kiosk>
  );
}
