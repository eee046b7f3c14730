import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Random } from "@mulkko/shared/rules/clock";

/**
 * Return the delay before attempt `attempt` (0 is the first repeat), ms. It is random below a ceiling that
 * doubles from 1 s to 30 s (LIVE-2, full jitter), so that a thousand screens do not reconnect in step.
 */
export function reconnectDelay(attempt: number, random: Random): number {
  const ceiling = Math.min(LIVE_LIMITS.backoffMaxMs, LIVE_LIMITS.backoffMinMs * 2 ** Math.min(attempt, 16));
  return Math.round(random() * ceiling);
}
