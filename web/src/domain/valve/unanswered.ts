import type { ChannelValue } from "@mulkko/shared/live/devices";
import { useDrawnQuality, useServerTime } from "../../live/hooks.ts";
import { drawnView, isUnanswered, newestAbout } from "./drawn-view.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { useStoredCommands } from "./stored-commands.ts";
import type { ValveView } from "./valve-view.ts";

/** Return true once an entry has had no answer for {@link UNANSWERED_MS}; follows the time. */
export function useIsUnanswered(entry: Pick<OutboxEntry, "at"> | null): boolean {
  // The machine's own clock on both sides: the difference needs no server.
  return useServerTime(() => entry !== null && isUnanswered(entry, Date.now()));
}

/** Return the newest command of this browser for a valve that has had no answer for 3 s; null without one. */
function useUnanswered(channel: Pick<ChannelValue, "controllerId" | "number">): OutboxEntry | null {
  const newest = useStoredCommands((entries) => newestAbout(entries, channel));
  return useIsUnanswered(newest) ? newest : null;
}

/** Return the drawn state of a channel, and follow it. */
export const useValveView = (channel: ChannelValue): ValveView =>
  drawnView(channel, useDrawnQuality(channel), useUnanswered(channel));
