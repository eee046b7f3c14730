import { isAlarmed, isCommanding } from "../../app/stale-build.ts";
import type { LiveFarm } from "../../live/hooks.ts";

/** True while no valve is being turned and nothing most urgent is wrong, seen or unseen: the page may go (HS-4). */
export function isQuiet({ channels, alarms }: Pick<LiveFarm, "channels" | "alarms">): boolean {
  return !isCommanding(channels) && !isAlarmed(alarms);
}
