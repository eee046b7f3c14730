import type { ChannelCommand } from "@mulkko/shared/live/devices";
import { type Intent, isPending } from "../core/intent.ts";
import type { ChannelReport } from "../ports/channel-report.ts";
import type { StateValue } from "../ports/streams.ts";
import { instant } from "./command-log-entry.ts";

/** The open command as every screen shows it (CMD-2); null once it is done. */
export function commandShown(intent: Intent | null): ChannelCommand | null {
  if (intent === null || (!isPending(intent) && intent.state !== "unconfirmed")) return null;
  return commandOf(intent);
}

/** A command as screens show it, in whatever state. */
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

/** End of the run that the relay keeps, ms; null where it keeps none. */
function relayEnd(intent: Intent | null): number | null {
  if (intent?.want !== "open") return null;
  return isPending(intent) && intent.proof === null ? intent.fallbackUntil : intent.until;
}

/**
 * When the run ends and who ends it (RUN-2). Only of a valve that is reported open: an end is no promise that
 * water runs. `shown` is the valve's state on the screens, which may be one report ahead of this desk.
 */
export function runShown(intent: Intent | null, report: ChannelReport | null, shown: unknown): StateValue {
  if (report === null) return {};
  if (report.onoff !== 1 || shown !== 1) return { runUntil: null, endsBy: null };
  if (report.runUntil !== null) return { runUntil: instant(report.runUntil), endsBy: "device" };
  const end = relayEnd(intent);
  return end === null ? { runUntil: null, endsBy: null } : { runUntil: instant(end), endsBy: "relay" };
}
