import { PAIRING_INTERVAL_SECONDS } from "@mulkko/shared/rest/displays";
import { LRUCache } from "lru-cache";
import { DISPLAY_LIMITS } from "./limits.ts";

/**
 * Tokens that were sent and perhaps not received. The network may fail during the only answer that holds a
 * token. The display would then stay in the list for half a year without a screen.
 */
export interface IssuedTokens {
  /**
   * Note that a screen was sent its token at `now` (monotonic ms).
   * @param device hash of the screen's secret
   */
  issued(device: string, displayId: string, now: number): void;
  /** Return the display of a screen whose recent token is still unused; once. */
  reissue(device: string, now: number): string | undefined;
  /** Note that a display has used its token: it was received. */
  noteUsed(displayId: string): void;
}

export function createIssuedTokens(): IssuedTokens {
  const open = new LRUCache<string, { displayId: string; at: number }>({ max: DISPLAY_LIMITS.timed });
  return {
    issued(device, displayId, now) {
      open.set(device, { displayId, at: now });
    },
    reissue(device, now) {
      const found = open.get(device);
      open.delete(device);
      return found && now - found.at <= DISPLAY_LIMITS.lostMs ? found.displayId : undefined;
    },
    noteUsed(displayId) {
      for (const [device, one] of open) if (one.displayId === displayId) open.delete(device);
    },
  };
}

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
  const known = new LRUCache<string, { at: number; everyMs: number }>({ max: DISPLAY_LIMITS.timed });
  return {
    tooSoon(device, now) {
      const before = known.get(device);
      const isSoon = before !== undefined && now - before.at < before.everyMs - DISPLAY_LIMITS.leewayMs;
      // Accept each second poll of a screen with its own pace, so that it does not wait for ever.
      if (isSoon) known.set(device, { at: before.at, everyMs: EVERY_MS + DISPLAY_LIMITS.slowerMs });
      else known.set(device, { at: now, everyMs: EVERY_MS });
      return isSoon;
    },
    forget: (device) => void known.delete(device),
  };
}
