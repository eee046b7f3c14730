import type { Watering, WateringCause } from "@mulkko/shared/live/watering";
import type { ChannelReport } from "../ports/channel-report.ts";
import { type Intent, mayRun } from "./intent.ts";
import { latestSaid } from "./report-order.ts";

/** A device that times itself may close so much before the end that we reckon with, and still be done. */
const DONE_EARLY_MS = 5_000;

/** Water that nobody has looked at for so long, and that a read finds closed, ended who knows when and why. */
const UNSEEN_MS = 15 * 60_000;

/** The moment that a report speaks of, on the store's clock. */
function momentOf(report: ChannelReport, intent: Intent): number {
  const at = latestSaid(report);
  return at === null ? report.askedAt : at - intent.offsetMs;
}

/** What opened a valve, first match (CMD-6): our intent; the mode in charge; somebody at the controller. */
export function causeOf(intent: Intent | null, report: ChannelReport): WateringCause {
  if (intent !== null && isOurOpening(intent, report)) return "person";
  return report.activeMode === "none" ? "external" : report.activeMode;
}

function isOurOpening(intent: Intent, report: ChannelReport): boolean {
  if (intent.want === "close") {
    if (intent.earlierOpens === null) return false;
    // As for the close itself: an API that names no commands shows an opening that may still be ours as ours.
    return report.commandId === null
      ? report.activeMode === "none"
      : intent.earlierOpens.commandIds.includes(report.commandId);
  }
  if (intent.proof !== null) return true;
  if (report.commandId !== null) return intent.sentIds.includes(report.commandId);
  return mayRun(intent) && momentOf(report, intent) >= (intent.firstSentAt ?? Number.POSITIVE_INFINITY);
}

/** A device that times itself may report its close so late, and still have closed when it had to. */
const END_LATE_MS = 5_000;
/** From so long after the end on, a record says that the end was not confirmed until then. */
const CONFIRMED_LATE_MS = 60_000;

/** When water ended, ms UTC, and when that was first known, where that was long afterwards. */
export interface WateringEnd {
  readonly end: number;
  readonly confirmedAt: number | null;
}

/**
 * Return the end of a run whose last part was not reported. A device that times itself closed when it had to, however
 * late it says so.
 *
 * @param plannedEnd when the device closes by itself; null where it does not
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
 * Why water ceased to run, as far as the relay knows (WAT-1).
 *
 * @param unseenMs for how long nobody had looked at the channel
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
