import { systemClock } from "@mulkko/shared/rules/clock";
import { useSyncExternalStore } from "react";
import { createTicker } from "../../live/ticker.ts";

const ticker = createTicker();

/** Return the whole seconds until an instant of the monotonic clock, at least 0, and follow them. */
export function useSecondsUntil(endsAt: number): number {
  return useSyncExternalStore(ticker.subscribe, () =>
    Math.max(0, Math.ceil((endsAt - systemClock.monotonic()) / 1000)),
  );
}
