import type { ChannelCommand, ChannelValue } from "@mulkko/shared/live/devices";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { OutboxEntry } from "./outbox-entry.ts";
import { type ValveView, valveView } from "./valve-view.ts";

/** Time without an answer after which a command is drawn in place of the old state, ms (CMD-18). */
export const UNANSWERED_MS = 3_000;

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
    case "close-in":
      return false;
  }
}

/** Return the newest command of this browser for a valve that is still sent; null without one. */
export const newestAbout = (entries: readonly OutboxEntry[], channel: Place): OutboxEntry | null =>
  entries.findLast((entry) => entry.ended === undefined && isAbout(entry, channel)) ?? null;

/** Return true once an entry has had no answer for {@link UNANSWERED_MS}. @param now this machine's clock, ms UTC */
export const isUnanswered = ({ at }: Pick<OutboxEntry, "at">, now: number): boolean =>
  now - at >= UNANSWERED_MS;

/** Return true if the live stream shows this very command, so that its own state is known. */
function isShown(entry: Pick<OutboxEntry, "id" | "kind">, command: ChannelCommand | null): boolean {
  if (command === null) return false;
  if (entry.kind !== "close-all") return command.id === entry.id;
  // The relay names the closes of a close-all itself. Any close under way closes the valve.
  return command.target === 2 && (command.state === "requested" || command.state === "accepted");
}

/**
 * Return the drawn state of a channel. A command of this browser without an answer is drawn as being carried out,
 * not confirmed: the reported state may be over (CMD-18). An older command that the stream still shows is over, too.
 *
 * @param unanswered the newest command of this browser without an answer for 3 s
 */
export function drawnView(
  { onoff, command }: Pick<ChannelValue, "onoff" | "command">,
  quality: DrawnQuality | null,
  unanswered: Pick<OutboxEntry, "id" | "kind"> | null,
): ValveView {
  if (unanswered === null || isShown(unanswered, command)) return valveView({ onoff, command, quality });
  const actual = onoff === 1 ? "open" : onoff === 2 ? "closed" : null;
  const isOpening = unanswered.kind === "open";
  return { kind: isOpening ? "opening" : "closing", live: false, actual, unanswered: true };
}
