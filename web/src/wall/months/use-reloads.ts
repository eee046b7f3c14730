import { systemClock } from "@mulkko/shared/rules/clock";
import { useEffect, useRef, useState } from "react";
import { useIsLive, useServerNow } from "../../live/hooks.ts";
import { browserTimers } from "../../live/timers.ts";
import { useWall } from "../wall-context.ts";
import { dailyMinute, dayMinuteOf, isDailyReload, isDarkReload } from "./hours.ts";
import { reloader } from "./page-reloader.ts";

/** How often it is looked whether the page wants to be loaded anew, ms. */
const LOOK_EVERY_MS = 10_000;

/** Loads the page anew in a quiet minute of each night, and when it has not been live for too long. */
export function useReloads(busy: boolean): void {
  const { words } = useWall();
  const now = useServerNow();
  const live = useIsLive();
  const [daily] = useState(() => dailyMinute(Math.random()));
  const facts = useRef({ busy, live, words, lastLiveAt: systemClock.monotonic() });
  useEffect(() => {
    const lastLiveAt = live || facts.current.live ? systemClock.monotonic() : facts.current.lastLiveAt;
    facts.current = { busy, live, words, lastLiveAt };
  }, [busy, live, words]);
  useEffect(() => {
    let cancel: () => void = () => undefined;
    const look = () => {
      const known = facts.current;
      const uptimeMs = systemClock.monotonic();
      if (known.live) known.lastLiveAt = uptimeMs;
      const minute = dayMinuteOf(known.words.time(now()));
      const isWanted =
        isDarkReload(uptimeMs, known.lastLiveAt) ||
        isDailyReload({ minute, daily, uptimeMs, busy: known.busy });
      if (isWanted) reloader.whenServed();
      cancel = browserTimers.after(LOOK_EVERY_MS, look);
    };
    look();
    return () => cancel();
  }, [now, daily]);
}
