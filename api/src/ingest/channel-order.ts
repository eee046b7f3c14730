import { VALVE_UNKNOWN, type ValveCode } from "@mulkko/shared/rules/valve";
import type { Database } from "../database/database.ts";
import type { ReceivedReport } from "../devices/received.ts";

/** Time in which an asked controller answers, ms. After it the report that looked older counts. */
const ANSWER_MS = 10_000;

/** The last report of a channel. Times are ms since 1970 UTC. */
interface Last {
  readonly onoff: ValveCode;
  readonly runUntil: number | null;
  readonly commandId: string | null;
  readonly at: number | null;
  /** The device's own time; null where it stated none that is believed. */
  readonly ownAt: number | null;
}

/** `asked`: the reports contradict each other, and the controller was asked which one is true. */
type ChannelState =
  | { readonly kind: "known"; readonly last: Last }
  | {
      readonly kind: "asked";
      readonly last: Last;
      readonly until: number;
      /** The report that looked older; null for a retained one, which is never believed without an answer. */
      readonly contested: ReceivedReport | null;
    };

/** A report whose time was judged. */
export interface JudgedReport {
  readonly report: ReceivedReport;
  /** The device's own time, where it is believed. */
  readonly ownAt: number | null;
}

/**
 * Decision about a report: `news` as it is; `contested`: the channel becomes unknown, and its controller is
 * asked; `nothing`: it shows no more than what is known.
 */
export type Verdict =
  | { readonly kind: "news"; readonly report: ReceivedReport }
  | { readonly kind: "contested"; readonly report: ReceivedReport }
  | { readonly kind: "nothing" };

const NOTHING: Verdict = { kind: "nothing" };

/**
 * Decide for each channel which report is the newest, by arrival (ORD-1, ORD-5).
 *
 * ```
 *            a report that looks older, or a retained one without a time, shows another state
 *   known ──────────────────────────────────────────────────────▶ asked {until}
 *     ▲   any live report; or no answer: the contested one counts   │
 *     └────────────────────────────────────────────────────────────┘
 * ```
 *
 * The states are the stored ones: this process alone writes them.
 */
export class ChannelOrder {
  // Bounded by the registered channels.
  readonly #channels = new Map<string, ChannelState>();

  async load(database: Database): Promise<void> {
    const rows = await database.query<{
      device_id: string;
      number: number;
      onoff: ValveCode;
      run_until: number | null;
      command_id: string | null;
      at: number | null;
      own_at: number | null;
    }>(
      `select device_id, number, onoff, run_until, command_id, at,
         case when clock_wrong_since is null and at is distinct from heard_at then at end as own_at from channel_state`,
    );
    for (const row of rows) {
      const { onoff, run_until: runUntil, command_id: commandId, at, own_at: ownAt } = row;
      const last = { onoff, runUntil, commandId, at, ownAt };
      this.#channels.set(keyOf(row.device_id, row.number), { kind: "known", last });
    }
  }

  /** True for a channel whose state is not known by its reports, so that its controller is to be asked (ORD-5). */
  isUnknown(deviceId: string, number: number): boolean {
    return this.#channels.get(keyOf(deviceId, number))?.last.onoff === VALVE_UNKNOWN;
  }

  /** Judge a report, in order of arrival. @param monotonic now, ms */
  judge({ report, ownAt }: JudgedReport, monotonic: number): Verdict {
    const key = keyOf(report.deviceId, report.number);
    const state = this.#channels.get(key);
    const next = { ...report, ownAt };
    if (!state) return this.#news(key, next);
    const { last } = state;
    if (!report.isLive) return this.#judgeRetained(key, report, last, monotonic);
    const looksOlder = ownAt !== null && last.ownAt !== null && ownAt < last.ownAt;
    // Sent again, because it could not be stored: it is no answer of the controller that was asked.
    if (state.kind === "asked" && isRepetition(report, state.contested)) {
      return { kind: "news", report: asUnknown(report) };
    }
    if (!looksOlder || state.kind === "asked") {
      // The answer of a controller that was asked counts now, whatever its clock says.
      return this.#news(key, looksOlder ? asOfArrival(next) : next);
    }
    if (isAlike(report, last)) return this.#news(key, { ...next, at: report.heardAt, ownAt: last.ownAt });
    this.#channels.set(key, {
      kind: "asked",
      last: { ...last, onoff: VALVE_UNKNOWN },
      until: monotonic + ANSWER_MS,
      contested: report,
    });
    return { kind: "contested", report: asUnknown(report) };
  }

  /** Take a settled report back that could not be stored, unless there is a newer one. @param monotonic now, ms */
  unsettle(report: ReceivedReport, monotonic: number): void {
    const key = keyOf(report.deviceId, report.number);
    const state = this.#channels.get(key);
    if (state?.kind !== "known" || state.last.at !== report.at || !isAlike(report, state.last)) return;
    const last: Last = { ...state.last, onoff: VALVE_UNKNOWN };
    this.#channels.set(key, { kind: "asked", last, until: monotonic + ANSWER_MS, contested: report });
  }

  /**
   * Return a report of changed settings with the state that is known, and its time: the valve itself has sent
   * nothing. Null where no state is known.
   */
  repeat(report: ReceivedReport): ReceivedReport | null {
    const state = this.#channels.get(keyOf(report.deviceId, report.number));
    if (!state) return null;
    const { onoff, runUntil, commandId, at } = state.last;
    return { ...report, onoff, commandId, at, runUntil: state.kind === "asked" ? null : runUntil };
  }

  /** Return the contested reports of controllers that did not answer: they count as of their arrival. */
  settle(monotonic: number): ReceivedReport[] {
    const settled: ReceivedReport[] = [];
    for (const [key, state] of this.#channels) {
      if (state.kind !== "asked" || monotonic < state.until) continue;
      const { contested, last } = state;
      this.#channels.set(key, { kind: "known", last });
      if (contested === null) continue;
      const { kind, report } = this.#news(key, asOfArrival({ ...contested, ownAt: contested.at }));
      if (kind === "news") settled.push(report);
    }
    return settled;
  }

  /** A retained message counts at its own time; without one it contradicts, but proves nothing. */
  #judgeRetained(key: string, report: ReceivedReport, last: Last, monotonic: number): Verdict {
    if (report.at !== null) {
      return last.at === null || report.at > last.at
        ? this.#news(key, { ...report, ownAt: report.at })
        : NOTHING;
    }
    if (report.onoff === last.onoff || last.onoff === VALVE_UNKNOWN) return NOTHING;
    const unknown: ReceivedReport = { ...report, at: last.at, onoff: VALVE_UNKNOWN, runUntil: null };
    this.#channels.set(key, {
      kind: "asked",
      last: { ...last, onoff: VALVE_UNKNOWN },
      until: monotonic + ANSWER_MS,
      contested: null,
    });
    return { kind: "contested", report: unknown };
  }

  #news(key: string, { ownAt, ...report }: ReceivedReport & { readonly ownAt: number | null }) {
    const { onoff, runUntil, commandId, at } = report;
    this.#channels.set(key, { kind: "known", last: { onoff, runUntil, commandId, at, ownAt } });
    return { kind: "news", report } as const;
  }
}

const keyOf = (deviceId: string, number: number): string => `${deviceId} ${number}`;

const isAlike = (report: ReceivedReport, last: Omit<Last, "ownAt">): boolean =>
  report.onoff === last.onoff && report.runUntil === last.runUntil && report.commandId === last.commandId;

/** Return the report of a channel whose reports contradict each other: the log keeps what it says. */
function asUnknown(report: ReceivedReport): ReceivedReport {
  const unknown: ReceivedReport = { ...report, at: report.heardAt, onoff: VALVE_UNKNOWN, runUntil: null };
  return { ...unknown, ...(report.at !== null && { logged: { onoff: report.onoff, at: report.at } }) };
}

const isRepetition = (report: ReceivedReport, contested: ReceivedReport | null): boolean =>
  contested !== null && report.at === contested.at && isAlike(report, contested);

/** Return a report of a clock that went back: it and the end of its run count as of its arrival, marked. */
function asOfArrival<R extends ReceivedReport & { readonly ownAt: number | null }>(report: R): R {
  const { heardAt, ownAt, runUntil, clockWrongSince } = report;
  // The end by a clock that is ahead is corrected before.
  const lag = heardAt === null || ownAt === null ? 0 : Math.max(0, heardAt - ownAt);
  return {
    ...report,
    at: heardAt,
    runUntil: runUntil === null ? null : runUntil + lag,
    clockWrongSince: clockWrongSince ?? heardAt,
  };
}
