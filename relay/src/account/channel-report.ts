/** A channel's report from any source. Times are ms UTC. */
export interface ChannelReport {
  readonly onoff: 0 | 1 | 2;
  /** Time that the device states; null if it states none. */
  readonly at: number | null;
  /** Arrival of the device's message; null if a polled plain API does not report it. */
  readonly heardAt: number | null;
  readonly commandId: string | null;
  readonly runUntil: number | null;
  readonly via: "mqtt" | "poll";
  /** Start of the poll that brought it; the arrival for MQTT. */
  readonly askedAt: number;
  /** Mode with its flag set, for the cause of an opening (CMD-6). */
  readonly activeMode: "none" | "automatic" | "period" | "reservation";
}

/** A channel's newest report, with the store time at which it reached the relay. */
export interface Seen {
  readonly report: ChannelReport;
  readonly arrivedAt: number;
}

/** A farm API writes its times in whole seconds; such a time may be any moment of its second. */
const SECOND = 1_000;

/** Return the time that the report states; null if it states none. */
export function saidAt(report: ChannelReport): number | null {
  return report.at ?? report.heardAt;
}

/** Return the latest time that a report may refer to; null if it states none. */
export function latestSaid(report: ChannelReport): number | null {
  const at = saidAt(report);
  return at !== null && report.via === "poll" && at % SECOND === 0 ? at + SECOND - 1 : at;
}

/**
 * True if a report may replace the previous one, so that late and repeated messages do not revert a valve. A
 * message counts by its own time. A read counts by its start, because it shows the newest state of the API
 * at that time. A previous report with an impossible time blocks nothing (ONL-6).
 */
export function isNewer(
  report: ChannelReport,
  last: Seen | null,
  isPossible: (at: number) => boolean = () => true,
): boolean {
  if (last === null) return true;
  const at = saidAt(report);
  const said = saidAt(last.report);
  const lastAt = said !== null && isPossible(said) ? said : null;
  const latest = latestSaid(report);
  if (latest !== null && lastAt !== null && latest < lastAt) return false;
  if (report.via === "mqtt" || report.askedAt >= last.arrivedAt) return true;
  return at !== null && lastAt !== null && at > lastAt;
}
