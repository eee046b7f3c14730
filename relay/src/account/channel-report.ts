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
  /** True for a message about a report that the device has just sent; never for a poll (ORD-4). */
  readonly isLive: boolean;
  /** Start of the poll that brought it; the arrival for MQTT. */
  readonly askedAt: number;
  /** Number that the farm API gave it in its order of arrival (ORD-1); null if it gives none. */
  readonly arrival: number | null;
  /** The relay's own order, on its monotonic clock: start of the poll, and arrival of the report. */
  readonly order: { readonly begun: number; readonly arrived: number };
  /**
   * True if the controller's connection was lost when the API passed it on. It may have waited on the way since before
   * any command, and proves none (CMD-1).
   */
  readonly isLost: boolean;
  /** Mode with its flag set, for the cause of an opening (CMD-6). */
  readonly activeMode: "none" | "automatic" | "period" | "reservation";
}

/** Content of a polled row that shows whether the farm API has written a new one. */
type Row = Pick<ChannelReport, "at" | "onoff" | "runUntil">;

/** A channel's newest report, with the store time at which it reached the relay. */
export interface Seen {
  readonly report: ChannelReport;
  readonly arrivedAt: number;
  /** The last polled row; null before the first poll. */
  readonly row: Row | null;
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

const rowOf = ({ at, onoff, runUntil }: ChannelReport): Row => ({ at, onoff, runUntil });
const isSameRow = (a: Row, b: Row): boolean =>
  a.at === b.at && a.onoff === b.onoff && a.runUntil === b.runUntil;

/** Return the channel's newest report after one that is newer. */
export const seeing = (report: ChannelReport, arrivedAt: number, last: Seen | null): Seen => ({
  report,
  arrivedAt,
  row: report.via === "poll" ? rowOf(report) : (last?.row ?? null),
});

/** Remember the row of a poll that brought nothing newer. */
export const passing = (report: ChannelReport, last: Seen | null): Seen | null =>
  last === null || report.via === "mqtt" ? last : { ...last, row: rowOf(report) };

/**
 * True if a report may replace the previous one, so that late and repeated messages do not revert a valve.
 * Where the farm API numbers its reports, the higher number is newer, whatever the times (ORD-1). Otherwise a
 * message counts by its own time. A read counts by its start, because it shows the newest state of the API at
 * that time; a row with an older time is newer if it is another one than the last read brought, because the
 * API's clock was set back (ORD-6). A previous report with an impossible time blocks nothing (ONL-6).
 */
export function isNewer(
  report: ChannelReport,
  last: Seen | null,
  isPossible: (at: number) => boolean = () => true,
): boolean {
  if (last === null) return true;
  const isReadAfter = report.order.begun >= last.report.order.arrived;
  if (report.arrival !== null && last.report.arrival !== null) {
    if (report.arrival > last.report.arrival) return true;
    // A lower number in a later read: the farm API's database was restored, and counts again.
    return report.via === "poll" ? isReadAfter : report.arrival === last.report.arrival;
  }
  const at = saidAt(report);
  const said = saidAt(last.report);
  const lastAt = said !== null && isPossible(said) ? said : null;
  const latest = latestSaid(report);
  if (latest !== null && lastAt !== null && latest < lastAt) {
    const isOtherRow = last.row !== null && !isSameRow(rowOf(report), last.row);
    return report.via === "poll" && isReadAfter && isOtherRow;
  }
  if (report.via === "mqtt" || isReadAfter) return true;
  return at !== null && lastAt !== null && at > lastAt;
}

/**
 * True for a message that waited on its way while another relay had the account (ORD-1): the state that this one took
 * over is of a later contact.
 *
 * @param heardAt contact of that state, ms UTC; -∞: none
 */
export const isOvertaken = (report: ChannelReport, heardAt: number): boolean =>
  report.via === "mqtt" && report.heardAt !== null && report.heardAt < heardAt;
