import { PAIRING_INTERVAL_SECONDS } from "@mulkko/shared/rest/displays";
import { DISPLAY_LIMITS } from "./limits.ts";

const EVERY_MS = PAIRING_INTERVAL_SECONDS * 1_000;

/** How fast screens ask whether they were approved (RFC 8628 §3.5), as far as they ask this node. */
export interface PollPace {
  /** One more poll at `now` (monotonic ms). @returns true if it came too soon: the next is to come 5 s later */
  tooSoon(device: string, now: number): boolean;
  forget(device: string): void;
}

/** Screens that a node has not heard of ask as often as every screen may; the oldest are forgotten. */
export function createPollPace(): PollPace {
  const known = new Map<string, { at: number; everyMs: number }>();
  return {
    tooSoon(device, now) {
      const before = known.get(device);
      const isSoon = before !== undefined && now - before.at < before.everyMs - DISPLAY_LIMITS.leewayMs;
      known.delete(device);
      // One that keeps its own pace is heard each second time: a screen must not wait for ever.
      if (isSoon) known.set(device, { at: before.at, everyMs: EVERY_MS + DISPLAY_LIMITS.slowerMs });
      else known.set(device, { at: now, everyMs: EVERY_MS });
      const oldest = known.keys().next().value;
      if (known.size > DISPLAY_LIMITS.timed && oldest !== undefined) known.delete(oldest);
      return isSoon;
    },
    forget: (device) => void known.delete(device),
  };
}
