import { systemTimers } from "@mulkko/shared/rules/clock";
import { type ReactNode, useEffect } from "react";
import { useServerTime } from "../../live/hooks.ts";
import type { DisplaySession } from "../session/display-session.ts";
import { useWall } from "../wall-context.ts";
import { createBeeper, keepBeeping, wakeOnTouch } from "./beep.ts";
import { dayMinuteOf, isNight } from "./hours.ts";
import { threeTones } from "./tones.ts";
import { useDrift } from "./use-drift.ts";
import { useEnded } from "./use-ended.ts";
import { useReloads } from "./use-reloads.ts";

/** One for the page: its audio context stays resumed after a touch. */
const beeper = createBeeper({ open: () => new AudioContext(), play: threeTones, timers: systemTimers });

interface KioskProps {
  readonly session: DisplaySession;
  /** True while an alarm of the highest priority is unacknowledged: no dimming, and a sound. */
  readonly urgent: boolean;
  readonly children: ReactNode;
}

/** Keep a wall running for months: drift, night dimming, alarm sound, and recovery by reloading. */
export function Kiosk({ session, urgent, children }: KioskProps) {
  const { settings, words } = useWall();
  const drift = useDrift();
  const isDark = useServerTime((now) => isNight(settings.night, dayMinuteOf(words.time(now))));
  useReloads();
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
