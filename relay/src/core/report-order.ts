import type { ChannelReport } from "../ports/channel-report.ts";

/** A channel's newest report, with the store time at which it reached the relay. */
export interface Seen {
  readonly report: ChannelReport;
  readonly arrivedAt: number;
}

/** A farm API writes its times in whole seconds; such a time may stand for any moment of its second. */
const SECOND = 1_000;

/** When it was so, as the report says; null where it does not say. */
export function saidAt(report: ChannelReport): number | null {
  return report.at ?? report.heardAt;
}

/** The latest moment that a report may speak of; null where it does not say. */
export function latestSaid(report: ChannelReport): number | null {
  const at = saidAt(report);
  return at !== null && report.via === "poll" && at % SECOND === 0 ? at + SECOND - 1 : at;
}

/**
 * True if a report may replace the one before it. Late and repeated messages do not turn a valve back: a message
 * goes by its own time; a read by when it was begun, since it shows the newest that the API knew by then.
 */
export function isNewer(report: ChannelReport, last: Seen | null): boolean {
  if (last === null) return true;
  const at = saidAt(report);
  const lastAt = saidAt(last.report);
  const latest = latestSaid(report);
  if (latest !== null && lastAt !== null && latest < lastAt) return false;
  if (report.via === "mqtt" || report.askedAt >= last.arrivedAt) return true;
  return at !== null && lastAt !== null && at > lastAt;
}
