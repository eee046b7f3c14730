import type { ChannelReport } from "../ports/channel-report.ts";
import { type Intent, type OpenIntent, VALVE_LIMITS } from "./intent.ts";
import { latestSaid, saidAt } from "./report-order.ts";

/**
 * What a report says about a command (CMD-1). `id`, `time`: the target, by our command or since its acceptance. `hint`: the
 * target, but the report does not tell since when; two such reads are a proof. `contrary`: another state.
 */
export type Evidence = "id" | "time" | "hint" | "contrary" | "nothing";

/**
 * From when on a report speaks of this command, store time: its acceptance; for an opening of unknown fate, the
 * end of the call; for a close that the API never took, the press and the expiry of any opening before it.
 * Null while an opening surely was not carried out.
 */
export function countsFrom(intent: Intent): number | null {
  if (intent.acceptedAt !== null) return intent.acceptedAt;
  if (intent.want === "open") return intent.mayHaveRun ? intent.answeredAt : null;
  return Math.max(intent.at, intent.earlierOpens?.expiresAt ?? 0);
}

/** True if a device's end of run is the one that this opening asked for, not that of the run before. */
function isOurRun(intent: OpenIntent, runUntil: number): boolean {
  if (runUntil === intent.runUntilBefore) return false;
  if (intent.timesDoubtful) return true;
  const late = runUntil - (intent.until + intent.offsetMs);
  return late >= -VALVE_LIMITS.runUntilEarlyMs && late <= VALVE_LIMITS.runUntilLateMs;
}

/** True if the valve is open by an opening that this one replaced. */
function isEarlierOpening(intent: OpenIntent, report: ChannelReport): boolean {
  return report.commandId !== null && (intent.earlierOpens?.commandIds.includes(report.commandId) ?? false);
}

/** Judges a report that has already been found newer than the one before it. */
export function evidenceOf(intent: Intent, report: ChannelReport): Evidence {
  if (report.onoff === 0) return "nothing";
  if (report.onoff !== (intent.want === "open" ? 1 : 2)) return "contrary";
  if (report.commandId !== null && intent.sentIds.includes(report.commandId)) return "id";
  if (intent.want === "open" && isEarlierOpening(intent, report)) return "nothing";
  const from = countsFrom(intent);
  if (from === null) return "nothing";
  if (intent.want === "open" && intent.timed) {
    if (report.runUntil === null || !isOurRun(intent, report.runUntil)) return "nothing";
  }
  const at = saidAt(report);
  if (at === null || intent.timesDoubtful) return report.via === "poll" ? "hint" : "nothing";
  if (at > from + intent.offsetMs) return "time";
  const asked = intent.firstSentAt ?? intent.at;
  return report.via === "poll" && (latestSaid(report) ?? 0) >= asked + intent.offsetMs ? "hint" : "nothing";
}

/**
 * Takes a hint in: a read counts when it was begun 2 s after the acceptance, and proves when an equal one was
 * begun 3 s before it.
 *
 * @returns the begin of the first read that counts, and whether this one completes the proof
 */
export function weighHint(
  intent: Intent,
  report: ChannelReport,
): { firstRead: number | null; proves: boolean } {
  const from = countsFrom(intent);
  if (from === null || report.askedAt < from + VALVE_LIMITS.readAfterMs) {
    return { firstRead: intent.firstRead, proves: false };
  }
  if (intent.firstRead === null) return { firstRead: report.askedAt, proves: false };
  return {
    firstRead: intent.firstRead,
    proves: report.askedAt - intent.firstRead >= VALVE_LIMITS.readsApartMs,
  };
}
