import type { LiveFarm } from "../../live/hooks.ts";
import { isAlarmed, isCommanding } from "../../live/stale-build.ts";

/**
 * Return true while no valve is moving and no alarm of the highest priority is active: the page may reload
 * (HS-4).
 */
export function isQuiet({ channels, alarms }: Pick<LiveFarm, "channels" | "alarms">): boolean {
  return !isCommanding(channels) && !isAlarmed(alarms);
}
