import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  useIsLive,
  useLink,
  useLiveClient,
  useLiveFarm,
  useServerNow,
  useServerTime,
} from "../../live/hooks.ts";
import { every } from "../every.ts";
import type { DisplaySession } from "../session/display-session.ts";
import { useWall } from "../wall-context.ts";
import { createBeeper, keepBeeping, threeTones, wakeOnTouch } from "./beep.ts";
import { askWhyEnded } from "./ended.ts";
import { dailyMinute, dayMinuteOf, isDailyReload, isDarkReload, isNight } from "./hours.ts";
import { reloader } from "./page-reloader.ts";
import { isQuiet } from "./reload.ts";
import { useDrift } from "./use-drift.ts";

/** Interval between checks for a due reload, ms. */
const CHECK_EVERY_MS = 10_000;

/** Reload the page in a quiet minute of each night, and after a long silence of the relay. */
function useReloads(urgent: boolean): void {
  const { texts } = useWall();
  const now = useServerNow();
  const farm = useLiveFarm();
  const { connection } = useLiveClient();
  const [daily] = useState(() => dailyMinute(Math.random()));
  const latest = useRef({ texts, urgent });
  useEffect(() => {
    latest.current = { texts, urgent };
  }, [texts, urgent]);
  useEffect(() => {
    const since = systemClock.monotonic();
    const check = () => {
      const uptimeMs = systemClock.monotonic();
      const minute = dayMinuteOf(latest.current.texts.time(now()));
      const silence = connection.silence();
      // Before the relay's first message neither its time nor the farm is known.
      const busy = silence === null || latest.current.urgent || !isQuiet(farm());
      const isWanted =
        isDarkReload(silence ?? uptimeMs - since) || isDailyReload({ minute, daily, uptimeMs, busy });
      if (isWanted) reloader.whenServed();
    };
    check();
    return every(systemTimers, CHECK_EVERY_MS, check);
  }, [now, farm, connection, daily]);
}

/**
 * Handle a connection that does not reconnect by itself. Either the token was revoked, which is shown, or the
 * relay needs a newer page. A wall must not stop at an error without a user to dismiss it.
 */
function useEnded(session: DisplaySession): void {
  const live = useIsLive();
  useEffect(() => {
    // The connection may have ended because the screen's settings changed.
    if (live) void session.prove().catch(() => undefined);
  }, [live, session]);
  const ended = useLink(({ screen }) => screen.state === "ended");
  useEffect(() => {
    if (!ended) return;
    return askWhyEnded(session, systemTimers, () => reloader.whenServed());
  }, [ended, session]);
}

/** One for the page: its audio context stays resumed after a touch. */
const beeper = createBeeper(() => new AudioContext(), threeTones, systemTimers);

/** Keep a wall running for months: drift, night dimming, alarm sound, and recovery by reloading. */
export function Kiosk(props: {
  session: DisplaySession;
  /** True while an alarm of the highest priority is unacknowledged: no dimming, and a sound. */
  urgent: boolean;
  children: ReactNode;
}) {
  const { session, urgent, children } = props;
  const { settings, texts } = useWall();
  const drift = useDrift();
  const isDark = useServerTime((now) => isNight(settings.night, dayMinuteOf(texts.time(now))));
  useReloads(urgent);
  useEnded(session);
  const sounds = urgent && settings.sound;
  useEffect(() => (sounds ? keepBeeping(systemTimers, beeper.beep) : undefined), [sounds]);
  useEffect(() => (settings.sound ? wakeOnTouch(beeper, window) : undefined), [settings.sound]);
  return (
    <>
      <div className="wall__picture" style={drift}>
        {children}
      </div>
      {isDark && !urgent && <div className="wall__night" data-night />}
    </>
  );
}
