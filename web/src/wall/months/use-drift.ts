import { systemClock } from "@mulkko/shared/rules/clock";
import { type CSSProperties, useEffect, useState } from "react";
import { browserTimers } from "../../live/timers.ts";
import { DRIFT_EVERY_MS, driftAt } from "./drift.ts";

const minuteNow = (): number => Math.floor(systemClock.now() / DRIFT_EVERY_MS);

/** Where the picture stands now: by the screen's own clock, which may be anything as long as it goes on. */
export function useDrift(): CSSProperties {
  const [minute, setMinute] = useState(minuteNow);
  useEffect(() => {
    let cancel: () => void = () => undefined;
    const move = () => {
      setMinute(minuteNow());
      cancel = browserTimers.after(DRIFT_EVERY_MS, move);
    };
    move();
    return () => cancel();
  }, []);
  const { x, y } = driftAt(minute);
  // As far on a finer screen: px of one that is 1920 wide.
  return { transform: `translate(${(x / 19.2).toFixed(3)}vw, ${(y / 19.2).toFixed(3)}vw)` };
}
