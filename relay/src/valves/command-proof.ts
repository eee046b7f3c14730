import { type ChannelReport, latestSaid, saidAt } from "../account/channel-report.ts";
import { type CloseIntent, expiresAt, type Intent, type OpenIntent, VALVE_LIMITS } from "./intent.ts";

/**
 * Judgement of a report about a command (CMD-1). `id`, `time`: the target state, by the command id or since
 * the acceptance. `hint`: the target state, without a time or as of the command; two such reads are a proof.
 * `contrary`: another state.
 */
export type Evidence = "id" | "time" | "hint" | "contrary" | "nothing";

/**
 * Return the store time from which reports count for this command. This is the acceptance; for an opening of
 * unknown fate, the end of the call. For a close that the API never accepted, it is the request and the
 * expiry of any earlier opening. Null while an opening was certainly not carried out.
 */
export function countsFrom(intent: Intent): number | null {
  if (intent.acceptedAt !== null) return intent.acceptedAt;
  if (intent.want === "open") return intent.mayHaveRun ? intent.answeredAt : null;
  // An opening that does not expire cannot be waited for: an opening after the close is closed again
  // (CMD-14).
  if (intent.earlierOpens === null || intent.earlierOpens.press?.expires === false) return intent.at;
  return Math.max(intent.at, intent.earlierOpens.expiresAt);
}

/** True if the device's end of run is the one that this opening requested, not that of the previous run. */
function isOurRun(intent: OpenIntent, runUntil: number): boolean {
  if (runUntil === intent.runUntilBefore) return false;
  if (intent.timesDoubtful) return true;
  const late = runUntil - (intent.until + intent.offsetMs);
  return late >= -VALVE_LIMITS.runUntilEarlyMs && late <= VALVE_LIMITS.runUntilLateMs;
}

/** True if the valve is open because of an opening that this one replaced. */
function isEarlierOpening(intent: OpenIntent, report: ChannelReport): boolean {
  return report.commandId !== null && (intent.earlierOpens?.commandIds.includes(report.commandId) ?? false);
}

/** Difference to which the farm API's clock is known, ms: less than 2 s counts as none (ONL-3), in whole seconds. */
const OFFSET_KNOWN_TO_MS = 3_000;

/**
 * True if a report reached the farm API before a store time, as far as that says so. The time that it states is by its
 * device's clock, which may be up to 5 min ahead (ORD-2).
 */
function hadArrivedBefore({ heardAt }: ChannelReport, time: number, { offsetMs }: Intent): boolean {
  return heardAt !== null && heardAt + OFFSET_KNOWN_TO_MS < time + offsetMs;
}

/**
 * True if a report may be the command itself. A plain farm API may answer what it was commanded, as of that moment,
 * until its device reports. One that names commands, numbers what arrives (ORD-1) or knows ends of run does not.
 */
function mayBeEcho(intent: Intent, report: ChannelReport, at: number): boolean {
  const { arrival, commandId, runUntil, via } = report;
  if (via !== "poll" || commandId !== null || arrival !== null || runUntil !== null) return false;
  const commandedAt = Math.max(intent.acceptedAt ?? 0, intent.answeredAt ?? 0, intent.lastSentAt ?? 0);
  return at <= commandedAt + OFFSET_KNOWN_TO_MS + intent.offsetMs;
}

/** Judge a report that is newer than the previous one. */
export function evidenceOf(intent: Intent, report: ChannelReport): Evidence {
  if (report.onoff === 0) return "nothing";
  if (report.onoff !== (intent.want === "open" ? 1 : 2)) return "contrary";
  if (report.commandId !== null && intent.sentIds.includes(report.commandId)) return "id";
  if (report.isLost) return "nothing";
  if (intent.want === "open" && isEarlierOpening(intent, report)) return "nothing";
  // Closed was reported after it could begin: whatever opens the valve now is another's, unless it is named.
  if (intent.want === "open" && intent.proof === null && intent.overSince !== null) return "nothing";
  const from = countsFrom(intent);
  if (from === null) return "nothing";
  if (intent.want === "open" && intent.timed) {
    if (report.runUntil === null || !isOurRun(intent, report.runUntil)) return "nothing";
  }
  const at = saidAt(report);
  // The device has just sent it: a report that arrives after the acceptance is newer than it (ORD-1).
  if (intent.timesDoubtful && report.isLive && report.arrival !== null)
    return report.askedAt > from ? "time" : "nothing";
  if (at === null || intent.timesDoubtful) return report.via === "poll" ? "hint" : "nothing";
  if (at > from + intent.offsetMs && !hadArrivedBefore(report, from, intent))
    return mayBeEcho(intent, report, at) ? "hint" : "time";
  const asked = intent.firstSentAt ?? intent.at;
  if (hadArrivedBefore(report, asked, intent)) return "nothing";
  return report.via === "poll" && (latestSaid(report) ?? 0) >= asked + intent.offsetMs ? "hint" : "nothing";
}

/**
 * True if no opening of an intent can be running any more: the report says closed after the last possible opening, by
 * the report's clock and by the relay's, which may differ.
 */
export function showsNoRun(intent: OpenIntent, report: ChannelReport): boolean {
  if (intent.expires === false) return false;
  if (report.onoff !== 2 || report.askedAt < expiresAt(intent)) return false;
  const at = latestSaid(report);
  if (intent.timesDoubtful || at === null) return report.via === "poll" || report.isLive;
  return at - intent.offsetMs >= expiresAt(intent);
}

/**
 * True if a report shows a run that is not the one which this close ends (RUN-2): since the close was accepted the device
 * reports another end of run, far after ours, and far after that report by its own clock. The valve has closed in between,
 * or another person has taken the run over.
 */
export function showsAnothersRun(intent: CloseIntent, report: ChannelReport): boolean {
  const { acceptedAt, at, earlierOpens, offsetMs, runUntilBefore, sentIds, timesDoubtful, why } = intent;
  if (why !== "run-end" || acceptedAt === null || runUntilBefore === undefined || timesDoubtful) return false;
  const { commandId, isLost, onoff, runUntil } = report;
  if (onoff !== 1 || isLost || runUntil === null || runUntil === runUntilBefore) return false;
  const ours = [...sentIds, ...(earlierOpens?.commandIds ?? [])];
  if (commandId !== null && ours.includes(commandId)) return false;
  if (earlierOpens?.press?.expires === false) return false;
  const said = saidAt(report);
  const least = VALVE_LIMITS.runUntilLateMs;
  return said !== null && runUntil - said > least && runUntil - offsetMs > at + least;
}

/**
 * Weigh a hint. A read counts when it started 2 s after the acceptance. It proves when an equal read started
 * 3 s before it.
 *
 * @returns the start of the first read that counts, and true if this read completes the proof
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
