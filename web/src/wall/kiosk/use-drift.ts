import { systemClock, systemTimers, type Timer } from "@mulkko/shared/rules/clock";
import { type CSSProperties, useEffect, useState } from "react";
import { DRIFT_EVERY_MS, driftAt } from "./drift.ts";

const minuteNow = (): number => Math.floor(systemClock.now() / DRIFT_EVERY_MS);

/** Return the current drift by the screen's own clock; only its progress matters. */
export function useDrift(): CSSProperties {
  const [minute, setMinute] = useState(minuteNow);
  useEffect(() => {
    let timer: Timer | undefined;
    const move = () => {
      setMinute(minuteNow());
      timer = systemTimers.after(DRIFT_EVERY_MS, move);
    };
    move();
    return () => timer?.cancel();
  }, []);
  const { x, y } = driftAt(minute);
  // Scale with the screen: px refer to a width of 1920.
  return { transform: `translate(${(x / 19.2).toFixed(3)}vw, ${(y / 19.2).toFixed(3)}vw)` };
}
