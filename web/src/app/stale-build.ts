import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ChannelValue } from "@mulkko/shared/live/devices";

/** Session storage key: the served build for which this tab has reloaded already. */
export const RELOADED_KEY = "mulkko.reloadedFor";

/** A page that nobody has touched for so long, ms, is in nobody's hands. */
export const HANDS_OFF_MS = 60_000;

/** What is known when a newer client is served (HS-4). */
export interface ReloadFacts {
  readonly own: string;
  readonly served: string | null;
  /** Build for which this tab has reloaded; a cached page must not make it reload for ever. */
  readonly reloadedFor: string | null;
  /** A valve command is under way somewhere on the account. */
  readonly commanding: boolean;
  /** An alarm of the most urgent kind is active. */
  readonly alarmed: boolean;
  /** A dialog is open or something is being typed. */
  readonly editing: boolean;
  /** Somebody has the page before them and has touched it lately. */
  readonly inHands: boolean;
}

/** True if the page is of another build than the relay serves, and reloading could mend that. */
export function isStaleBuild(facts: Pick<ReloadFacts, "own" | "served" | "reloadedFor">): boolean {
  const { own, served, reloadedFor } = facts;
  if (served === null || served === own || served === reloadedFor) return false;
  return own !== "dev" && served !== "dev";
}

/** True at a quiet moment for it. */
export function mayReload(facts: ReloadFacts): boolean {
  return isStaleBuild(facts) && !facts.commanding && !facts.alarmed && !facts.editing && !facts.inHands;
}

/** True while some channel has a command that is not done. */
export function isCommanding(channels: ReadonlyMap<string, Pick<ChannelValue, "command">>): boolean {
  for (const { command } of channels.values()) {
    if (command?.state === "requested" || command?.state === "accepted") return true;
  }
  return false;
}

/** True while something is wrong that somebody has to see to at once. */
export function isAlarmed(alarms: ReadonlyMap<string, Pick<Alarm, "active" | "priority">>): boolean {
  return [...alarms.values()].some(({ active, priority }) => active && priority === 1);
}
