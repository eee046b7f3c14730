import { DISPLAY_LIMITS } from "./limits.ts";

/**
 * Tokens that were said and perhaps not heard: the network may break as the one answer that holds a token is under
 * way, and the display would stand in the list for half a year with nobody behind it.
 */
export interface LostAnswers {
  /** A screen was told its token at `now` (monotonic ms). @param device hash of what the screen proves itself with */
  said(device: string, displayId: string, now: number): void;
  /** The display of a screen that was told its token a moment ago and has not used it; once. */
  again(device: string, now: number): string | undefined;
  /** A display has shown its token: it was heard. */
  used(displayId: string): void;
}

export function createLostAnswers(): LostAnswers {
  const open = new Map<string, { displayId: string; at: number }>();
  return {
    said(device, displayId, now) {
      open.set(device, { displayId, at: now });
      const oldest = open.keys().next().value;
      if (open.size > DISPLAY_LIMITS.timed && oldest !== undefined) open.delete(oldest);
    },
    again(device, now) {
      const found = open.get(device);
      open.delete(device);
      return found && now - found.at <= DISPLAY_LIMITS.lostMs ? found.displayId : undefined;
    },
    used(displayId) {
      for (const [device, one] of open) if (one.displayId === displayId) open.delete(device);
    },
  };
}
