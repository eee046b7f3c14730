import { systemClock, systemTimers, type Timer } from "@mulkko/shared/rules/clock";
import { useEffect, useRef, useState } from "react";
import { useLiveClient, useLiveFarm, useServerNow } from "../../live/hooks.ts";
import { useWall } from "../wall-context.ts";
import { dailyMinute, dayMinuteOf, isDailyReload, isDarkReload } from "./hours.ts";
import { reloader } from "./page-reloader.ts";
import { isQuiet } from "./quiet.ts";

/** Interval between checks for a due reload, ms. */
const CHECK_EVERY_MS = 10_000;

/** Reload the page in a quiet minute of each night, and after a long silence of the relay. */
export function useReloads(): void {
  const { words } = useWall();
  const now = useServerNow();
  const farm = useLiveFarm();
  const { connection } = useLiveClient();
  const [daily] = useState(() => dailyMinute(Math.random()));
  const latest = useRef(words);
  useEffect(() => {
    latest.current = words;
  }, [words]);
  useEffect(() => {
    const since = systemClock.monotonic();
    let timer: Timer | undefined;
    const check = () => {
      const uptimeMs = systemClock.monotonic();
      const minute = dayMinuteOf(latest.current.time(now()));
      const silence = connection.silence();
      // Before the relay's first message neither its time nor the farm is known.
      const busy = silence === null || !isQuiet(farm());
      const isWanted =
        isDarkReload(silence ?? uptimeMs - since) || isDailyReload({ minute, daily, uptimeMs, busy });
      if (isWanted) reloader.whenServed();
      timer = systemTimers.after(CHECK_EVERY_MS, check);
    };
    check();
    return () => timer?.cancel();
  }, [now, farm, connection, daily]);
}
