import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ChannelValue } from "@mulkko/shared/live/devices";

/** Name of this build of the client; `dev` under the development server and in tests. */
export const BUILD: string = typeof __BUILD_ID__ === "undefined" ? "dev" : __BUILD_ID__;

/** Session storage key: the served build for which this tab has reloaded already. */
export const RELOADED_KEY = "mulkko.reloadedFor";

/** Time without input after which a page counts as unused, ms. */
export const HANDS_OFF_MS = 60_000;

/** Facts for the decision on a reload into a newer client (HS-4). */
export interface ReloadFacts {
  readonly own: string;
  readonly served: string | null;
  /** Build for which this tab has reloaded; a cached page must not cause endless reloads. */
  readonly reloadedFor: string | null;
  /** True while a valve command of the account is pending. */
  readonly commanding: boolean;
  /** True while an alarm of the highest priority is active. */
  readonly alarmed: boolean;
  /** True while a dialog is open or the user is typing. */
  readonly editing: boolean;
  /** True while the page is visible and had recent input. */
  readonly inHands: boolean;
}

/** Return true if the page's build differs from the relay's, and reloading may fix that. */
export function isStaleBuild(facts: Pick<ReloadFacts, "own" | "served" | "reloadedFor">): boolean {
  const { own, served, reloadedFor } = facts;
  if (served === null || served === own || served === reloadedFor) return false;
  return own !== "dev" && served !== "dev";
}

/** Return true at a quiet moment for the reload. */
export function mayReload(facts: ReloadFacts): boolean {
  return isStaleBuild(facts) && !facts.commanding && !facts.alarmed && !facts.editing && !facts.inHands;
}

/** Return true while any channel has a pending command. */
export function isCommanding(channels: ReadonlyMap<string, Pick<ChannelValue, "command">>): boolean {
  for (const { command } of channels.values()) {
    if (command?.state === "requested" || command?.state === "accepted") return true;
  }
  return false;
}

/** Return true while an alarm of the highest priority is active. */
export function isAlarmed(alarms: ReadonlyMap<string, Pick<Alarm, "active" | "priority">>): boolean {
  return [...alarms.values()].some(({ active, priority }) => active && priority === 1);
}
