import { type ReactNode, useEffect, useState } from "react";
import { useServerTime } from "../../live/hooks.ts";
import { browserTimers } from "../../live/timers.ts";
import type { DisplaySession } from "../session/display-session.ts";
import { useWall } from "../wall-context.ts";
import { keepBeeping, threeTones } from "./beep.ts";
import { createCursor } from "./cursor.ts";
import { DRIFT_EVERY_MS, driftAt } from "./drift.ts";
import { dayMinuteOf, isNight } from "./hours.ts";
import { useEnded } from "./use-ended.ts";
import { useReloads } from "./use-reloads.ts";
import { keepAwake } from "./wake-lock.ts";

interface MonthsProps {
  readonly session: DisplaySession;
  /** Something most urgent is unseen: no dimming, and a sound. */
  readonly urgent: boolean;
  readonly children: ReactNode;
}

/** What lets a picture stand for months: it wanders, it dims at night, it stays awake, it comes back by itself. */
export function Months({ session, urgent, children }: MonthsProps) {
  const { settings, words } = useWall();
  const minute = useServerTime((now) => Math.floor(now / DRIFT_EVERY_MS));
  const isDark = useServerTime((now) => isNight(settings.night, dayMinuteOf(words.time(now))));
  const [cursor, setCursor] = useState(false);
  const { x, y } = driftAt(minute);
  // As far on a finer screen: px of one that is 1920 wide.
  const wanders = `translate(${(x / 19.2).toFixed(3)}vw, ${(y / 19.2).toFixed(3)}vw)`;
  useReloads();
  useEnded(session);
  useEffect(() => {
    // A page that came over plain HTTP has none; the pairing page says so.
    if ("wakeLock" in navigator) return keepAwake(navigator.wakeLock, document);
  }, []);
  useEffect(() => {
    const shown = createCursor(browserTimers, setCursor);
    window.addEventListener("pointermove", shown.moved);
    return () => {
      window.removeEventListener("pointermove", shown.moved);
      shown.stop();
    };
  }, []);
  const sounds = urgent && settings.sound;
  useEffect(() => (sounds ? keepBeeping(browserTimers, threeTones) : undefined), [sounds]);
  useEffect(() => {
    document.documentElement.dataset.cursor = cursor ? "shown" : "hidden";
  }, [cursor]);
  return (
    <>
      <div className="wall__picture" style={{ transform: wanders }}>
        {children}
      </div>
      {isDark && !urgent && <div className="wall__night" data-night />}
    </>
  );
}
