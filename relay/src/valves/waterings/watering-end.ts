import type { Watering, WateringCause } from "@mulkko/shared/live/watering";
import { type ChannelReport, latestSaid } from "../../account/channel-report.ts";
import { type Intent, mayRun } from "../intent.ts";

/** A device that times itself counts as done if it closes at most this early. */
const DONE_EARLY_MS = 5_000;

/**
 * If a channel was not read for this long and a read finds it closed, the end time and reason are unknown.
 */
const UNSEEN_MS = 15 * 60_000;

/** Return the time that a report refers to, on the store's clock. */
function momentOf(report: ChannelReport, intent: Intent): number {
  const at = latestSaid(report);
  return at === null ? report.askedAt : at - intent.offsetMs;
}

/**
 * Return the cause of an opening, first match (CMD-6): the relay's intent, the active mode, or a person at
 * the controller.
 */
export function causeOf(intent: Intent | null, report: ChannelReport): WateringCause {
  if (intent !== null && isOurOpening(intent, report)) return "person";
  return report.activeMode === "none" ? "external" : report.activeMode;
}

function isOurOpening(intent: Intent, report: ChannelReport): boolean {
  if (intent.want === "close") {
    if (intent.earlierOpens === null) return false;
    // As for the close itself: if the API names no commands, an opening that may be ours counts as ours.
    return report.commandId === null
      ? report.activeMode === "none"
      : intent.earlierOpens.commandIds.includes(report.commandId);
  }
  // Another party has opened it after the end of this run.
  if (intent.overSince !== null) return false;
  if (intent.proof !== null) return true;
  if (report.commandId !== null) return intent.sentIds.includes(report.commandId);
  return mayRun(intent) && momentOf(report, intent) >= (intent.firstSentAt ?? Number.POSITIVE_INFINITY);
}

/** A device that times itself may report its close this late and still have closed on time. */
const END_LATE_MS = 5_000;
/** From this delay on, a record states when the end was confirmed. */
const CONFIRMED_LATE_MS = 60_000;

/** When water ended, ms UTC, and when the relay first knew it, if that was much later. */
export interface WateringEnd {
  readonly end: number;
  readonly confirmedAt: number | null;
}

/**
 * Return the end of a run whose last part was not reported. A device that times itself closed on time,
 * however late it reports.
 *
 * @param plannedEnd when the device closes by itself; null if it does not
 * @param lastSeen when water was last reported running
 * @param at when the valve was reported closed
 */
export function wateringEnd(plannedEnd: number | null, lastSeen: number, at: number): WateringEnd {
  if (plannedEnd === null || lastSeen >= plannedEnd || at <= plannedEnd + END_LATE_MS) {
    return { end: at, confirmedAt: null };
  }
  return { end: plannedEnd, confirmedAt: at > plannedEnd + CONFIRMED_LATE_MS ? at : null };
}

/**
 * Return the end reason of a watering, as far as the relay knows it (WAT-1).
 *
 * @param unseenMs time since the channel was last read
 */
export function endReasonOf(
  intent: Intent | null,
  cause: WateringCause,
  report: ChannelReport,
  moisture: { now: number | null; upperBound: number | null },
  unseenMs = 0,
): NonNullable<Watering["endReason"]> {
  if (intent?.want === "close") return intent.why === "run-end" ? "deadline" : "closed";
  if (intent?.want === "open") {
    return momentOf(report, intent) >= intent.until - DONE_EARLY_MS ? "done" : "closed";
  }
  if (report.via === "poll" && unseenMs > UNSEEN_MS) return "lost";
  if (cause === "external" || cause === "person") return "closed";
  const { now, upperBound } = moisture;
  const full = cause === "automatic" && now !== null && upperBound !== null && now >= upperBound;
  return full ? "upperBound" : "done";
}
