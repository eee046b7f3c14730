import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { type CSSProperties, useEffect, useState } from "react";
import { every } from "../every.ts";

/** Maximum drift to each side, px of a screen of 1920: 24 px from end to end. */
const DRIFT_PX = 12;

/** Interval between moves, ms. */
const DRIFT_EVERY_MS = 60_000;

/** Period of each direction, minutes: 29 and 31 have no common divisor. */
const ROUND = { x: 29, y: 31 } as const;

const wave = (minute: number, round: number): number =>
  Math.round(DRIFT_PX * Math.sin((2 * Math.PI * minute) / round));

/** Return the drift of a minute, px of a screen of 1920; prevents burn-in. */
export function driftAt(minute: number): { x: number; y: number } {
  return { x: wave(minute, ROUND.x), y: wave(minute, ROUND.y) };
}

const minuteNow = (): number => Math.floor(systemClock.now() / DRIFT_EVERY_MS);

/** Return the current drift by the screen's own clock; only its progress matters. */
export function useDrift(): CSSProperties {
  const [minute, setMinute] = useState(minuteNow);
  useEffect(() => {
    const move = () => setMinute(minuteNow());
    move();
    return every(systemTimers, DRIFT_EVERY_MS, move);
  }, []);
  const { x, y } = driftAt(minute);
  // Scale with the screen: px refer to a width of 1920.
  return { transform: `translate(${(x / 19.2).toFixed(3)}vw, ${(y / 19.2).toFixed(3)}vw)` };
}
