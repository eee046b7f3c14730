import { PAIRING_INTERVAL_SECONDS } from "@mulkko/shared/rest/displays";
import { DISPLAY_LIMITS } from "./limits.ts";

const EVERY_MS = PAIRING_INTERVAL_SECONDS * 1_000;

/** The pace of screens that poll for their approval (RFC 8628 §3.5), as far as they poll this node. */
export interface PollPace {
  /**
   * Count a poll at `now` (monotonic ms).
   * @returns true if it came too soon: the interval then grows by 5 s
   */
  tooSoon(device: string, now: number): boolean;
  forget(device: string): void;
}

/** Create the pace. Screens unknown to a node start with the usual interval; the oldest are removed. */
export function createPollPace(): PollPace {
  const known = new Map<string, { at: number; everyMs: number }>();
  return {
    tooSoon(device, now) {
      const before = known.get(device);
      const isSoon = before !== undefined && now - before.at < before.everyMs - DISPLAY_LIMITS.leewayMs;
      known.delete(device);
      // Accept each second poll of a screen with its own pace, so that it does not wait for ever.
      if (isSoon) known.set(device, { at: before.at, everyMs: EVERY_MS + DISPLAY_LIMITS.slowerMs });
      else known.set(device, { at: now, everyMs: EVERY_MS });
      const oldest = known.keys().next().value;
      if (known.size > DISPLAY_LIMITS.timed && oldest !== undefined) known.delete(oldest);
      return isSoon;
    },
    forget: (device) => void known.delete(device),
  };
}
