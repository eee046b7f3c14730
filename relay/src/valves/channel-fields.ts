import type { ChannelCommand } from "@mulkko/shared/live/devices";
import type { ChannelReport } from "../account/channel-report.ts";
import type { StateValue } from "../store/streams.ts";
import { instant } from "./command-log-entry.ts";
import { type Intent, isPending } from "./intent.ts";

/** Return the pending command as every screen shows it (CMD-2), or null once it has ended. */
export function commandShown(intent: Intent | null): ChannelCommand | null {
  if (intent === null || (!isPending(intent) && intent.state !== "unconfirmed")) return null;
  return commandOf(intent);
}

/** Return a command as screens show it, in any state. */
export function commandOf(intent: Intent): ChannelCommand {
  return {
    id: intent.commandId,
    command: "onoff",
    target: intent.want === "open" ? 1 : 2,
    state: intent.state,
    since: instant(intent.at),
    by: intent.by,
  };
}

/** Return the end of the run that the relay enforces in ms, or null where it enforces none. */
function relayEnd(intent: Intent | null): number | null {
  if (intent?.want !== "open") return null;
  return isPending(intent) && intent.proof === null ? intent.fallbackUntil : intent.until;
}

/**
 * Return when the run ends and what ends it (RUN-2), only for a valve that is reported open. `shown` is the
 * valve's state on the screens, which may be one report ahead of this service.
 */
export function runShown(intent: Intent | null, report: ChannelReport | null, shown: unknown): StateValue {
  if (report === null) return {};
  if (report.onoff !== 1 || shown !== 1) return { runUntil: null, endsBy: null };
  if (report.runUntil !== null) return { runUntil: instant(report.runUntil), endsBy: "device" };
  const end = relayEnd(intent);
  return end === null ? { runUntil: null, endsBy: null } : { runUntil: instant(end), endsBy: "relay" };
}
