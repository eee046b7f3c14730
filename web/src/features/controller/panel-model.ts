import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { CommandEvent, LiveEvent } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import type { DeviceLink, DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { shallow } from "zustand/shallow";
import type { ValveView } from "../../domain/valve/valve-view.ts";
import { useLiveSelection } from "../../live/hooks.ts";

const WATERINGS = ["watering"] as const;

/** Return a channel's waterings, kept up to date. */
export function useChannelWaterings(channelId: string) {
  return useLiveSelection(WATERINGS, ({ waterings }) => wateringsOf(waterings.values(), channelId), shallow);
}

/** Reason why a valve cannot be commanded now. */
export type Block = "read-only" | "not-live" | "controller-offline" | "controller-lost" | "store-down";

/** Warning before an opening. */
export type Warning = "late" | "unknown";

/** Facts that decide about the buttons of a channel. */
export interface ButtonFacts {
  /** True while the page is live; the browser never queues an opening (CMD-8). */
  readonly live: boolean;
  readonly storeDown: boolean;
  /** Displayed quality of the controller. */
  readonly quality: DrawnQuality | null;
  /** `lost` while its last will is newer than its last message (CMD-3). */
  readonly link: DeviceLink | null;
}

/**
 * Return why this channel cannot be opened; null if it can. Unknown and late are warnings, not refusals
 * (CMD-3).
 */
export function openingBlock(facts: ButtonFacts): Block | null {
  if (!facts.live) return "not-live";
  if (facts.storeDown) return "store-down";
  if (facts.link === "lost") return "controller-lost";
  return facts.quality === "offline" ? "controller-offline" : null;
}

export function openingWarning(quality: DrawnQuality | null): Warning | null {
  if (quality === "late") return "late";
  return quality === "unknown" || quality === null ? "unknown" : null;
}

/** Controls in the bar at the bottom of a small screen. */
export type BarControls = "open" | "close" | "both";

/**
 * Return what the bar shows: what can be done now (UI-2). Only a live report of a closed valve leaves nothing
 * to close; a valve that is lost, late, unknown or contradicts its command may be open.
 *
 * @param pending target of the pending command
 */
export function barControls({ kind }: ValveView, pending: ValveTarget | null): BarControls {
  if (pending !== null || kind === "opening" || kind === "closing") return "both";
  return kind === "closed" ? "open" : "close";
}

/** Milliseconds for which the panel shows a confirmed or replaced command. */
export const DONE_SHOWN_MS = 12_000;

/** Milliseconds for which a refusal or failure is shown, unless something newer happens. */
export const TROUBLE_SHOWN_MS = 10 * 60_000;

/**
 * Return the result of a channel's newest command while it is news: a confirmation for seconds, a refusal or
 * failure for minutes. Null while a command is pending, and after that.
 *
 * @param now ms on the server's clock
 */
export function outcomeOf(
  newestFirst: readonly LiveEvent[],
  channel: Pick<ChannelValue, "controllerId" | "number" | "command" | "onoff" | "heardAt">,
  now: number,
): CommandEvent | null {
  if (channel.command) return null;
  const newest = newestFirst.find(
    (event): event is CommandEvent =>
      event.kind === "command" &&
      `${event.controllerId}` === `${channel.controllerId}` &&
      event.number === channel.number,
  );
  if (!newest) return null;
  const age = now - Date.parse(newest.at);
  switch (newest.state) {
    case "requested":
    case "accepted":
    case "superseded":
      return null;
    case "confirmed":
      return age < DONE_SHOWN_MS ? newest : null;
    case "unconfirmed":
    case "failed":
      // The valve has reported since: "no answer" would contradict its report.
      if (channel.onoff === newest.target && isAfter(channel.heardAt, newest.at)) return null;
      return age < TROUBLE_SHOWN_MS ? newest : null;
    case "refused":
      return age < TROUBLE_SHOWN_MS ? newest : null;
  }
}

const isAfter = (instant: string | null, other: string): boolean =>
  instant !== null && Date.parse(instant) > Date.parse(other);

/** Return a channel's waterings of the last day that the panel shows. */
export function wateringsOf(waterings: Iterable<Watering>, channelId: string) {
  let running: Watering | null = null;
  /** The newest one that ended. */
  let last: Watering | null = null;
  /** End of the newest run of the automatic mode, ms UTC. */
  let automaticEnd: number | null = null;
  for (const watering of waterings) {
    if (watering.channelId !== channelId) continue;
    if (watering.end === null) running = watering;
    else {
      if (last === null || watering.start > last.start) last = watering;
      if (watering.cause === "automatic")
        automaticEnd = Math.max(automaticEnd ?? 0, Date.parse(watering.end));
    }
  }
  return { running, last, automaticEnd };
}
