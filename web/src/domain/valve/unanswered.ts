import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useDrawnQuality, useServerTime } from "../../live/hooks.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { useStoredCommands } from "./stored-commands.ts";
import { type ValveView, valveView } from "./valve-view.ts";

/** Time without an answer after which a command is drawn in place of the old state, ms (CMD-18). */
export const UNANSWERED_MS = 3_000;

/** Return true once an entry has had no answer for {@link UNANSWERED_MS}; follows the time. */
export function useIsUnanswered(entry: Pick<OutboxEntry, "at"> | null): boolean {
  // The machine's own clock on both sides: the difference needs no server.
  return useServerTime(() => entry !== null && Date.now() - entry.at >= UNANSWERED_MS);
}

/** Return what this browser has commanded of a valve without an answer for 3 s; null without such a command. */
function useUnansweredTarget(channel: Pick<ChannelValue, "controllerId" | "number">): ValveTarget | null {
  const newest = useStoredCommands(
    (entries) => entries.findLast((entry) => entry.ended === undefined && isAbout(entry, channel)) ?? null,
  );
  const isUnanswered = useIsUnanswered(newest);
  if (newest === null || !isUnanswered) return null;
  return newest.kind === "open" ? 1 : 2;
}

type Place = Pick<ChannelValue, "controllerId" | "number">;

const isSame = (a: Place, b: Place): boolean =>
  `${a.controllerId}` === `${b.controllerId}` && a.number === b.number;

function isAbout(entry: OutboxEntry, channel: Place): boolean {
  switch (entry.kind) {
    case "open":
    case "close":
      return isSame(entry, channel);
    case "close-all":
      return entry.valves.some((valve) => isSame(valve, channel));
    case "mode-off":
    case "fleet-close":
      return false;
  }
}

/**
 * Return the drawn state of a channel, and follow it. A command of this browser without an answer is drawn as
 * being carried out, not confirmed: the reported state may be over (CMD-18).
 */
export function useValveView(channel: ChannelValue): ValveView {
  const quality = useDrawnQuality(channel);
  const unanswered = useUnansweredTarget(channel);
  const { onoff, command } = channel;
  const view = valveView({ onoff, command, quality });
  if (unanswered === null || command !== null) return view;
  const actual = onoff === 1 ? "open" : onoff === 2 ? "closed" : null;
  return { kind: unanswered === 1 ? "opening" : "closing", live: false, actual, unanswered: true };
}
