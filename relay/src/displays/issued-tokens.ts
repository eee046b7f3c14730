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
  const open = new Map<string, { displayId: string; at: number }>();
  return {
    issued(device, displayId, now) {
      open.set(device, { displayId, at: now });
      const oldest = open.keys().next().value;
      if (open.size > DISPLAY_LIMITS.timed && oldest !== undefined) open.delete(oldest);
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
