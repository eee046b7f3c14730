import { isDry } from "@mulkko/shared/rules/automatic-mode";
import { occurrencesAround } from "@mulkko/shared/rules/calendar";
import { type EngineSettings, MINUTE_MS, type Mode, missingOf, runLengthOf } from "./engine-settings.ts";
import { type EngineState, ended, later, type Moment, REMEMBERED_OCCURRENCES } from "./engine-state.ts";

/** A start later than this is skipped: users no longer expect water then. */
export const LATE_MS = MINUTE_MS;
/** Longest interval between two evaluations, so that a changed wall clock is noticed. */
const LOOK_MS = 10_000;

/**
 * Reason for the end of a run: its time is over, it is wet enough, no sensor has a recent value, or its mode
 * was deactivated.
 */
export type EndReason = "done" | "upper-bound" | "no-moisture" | "not-in-charge";

export type Action =
  | { readonly kind: "nothing" }
  /** Open until `until` (ms since 1970 UTC), which is `forMs` from now. */
  | { readonly kind: "open"; readonly mode: Mode; readonly until: number; readonly forMs: number }
  | { readonly kind: "close"; readonly mode: Mode; readonly reason: EndReason };

export interface Decision {
  readonly action: Action;
  readonly state: EngineState;
  /**
   * Latest time of the next evaluation, on the monotonic clock, ms; earlier whenever settings or moisture
   * change.
   */
  readonly nextLookAt: number;
  /** The mode whose flag is cleared: its single run is done. */
  readonly clears: Mode | null;
}

const NOTHING: Action = { kind: "nothing" };

/** Return a text that identifies the active mode. Saving the same mode again changes it. */
function chargeOf(settings: EngineSettings): string {
  const { active, revision, timezone } = settings;
  if (active === "none") return `none/${revision}`;
  return JSON.stringify([active, revision, settings[active], active === "reservation" ? timezone : null]);
}

/**
 * Return the time from which the active period counts its next start, ms since 1970 UTC; null where no period is active, or
 * its new settings wait for the end of a manual watering.
 */
export function periodFrom(settings: EngineSettings, state: EngineState, moment: Moment): number | null {
  if (settings.active !== "period" || chargeOf(settings) !== state.charge) return null;
  // By the monotonic clock, as `decide` counts: the wall clock may have been set since.
  return moment.now - (moment.monotonic - state.countsFrom.monotonic);
}

function takeCharge(settings: EngineSettings, state: EngineState, moment: Moment): EngineState {
  const charge = chargeOf(settings);
  if (charge === state.charge) return state;
  return { ...state, charge, since: moment, countsFrom: moment };
}

/**
 * Return the reason for which the current run is over, or null where it continues.
 *
 * @param moisture "unread" where it is being read: it ends nothing
 */
export function endOf(
  settings: EngineSettings,
  { run }: EngineState,
  moisture: number | null | "unread",
  moment: Moment,
): EndReason | null {
  if (!run) return null;
  if (run.mode !== settings.active || missingOf(settings) !== null) return "not-in-charge";
  if (moment.monotonic >= run.endsAt.monotonic) return "done";
  if (run.mode !== "automatic" || moisture === "unread") return null;
  if (moisture === null) return "no-moisture";
  const upper = settings.automatic?.upperBound ?? null;
  return upper !== null && moisture >= upper ? "upper-bound" : null;
}

/** Return the state with a new run of the active mode, or without one where none begins. */
function beginning(
  settings: EngineSettings,
  state: EngineState,
  moisture: number | null,
  moment: Moment,
): { begins: boolean; state: EngineState } {
  switch (settings.active) {
    case "none":
      return { begins: false, state };
    case "automatic": {
      const rests = state.restsUntil !== null && moment.monotonic < state.restsUntil.monotonic;
      const { automatic } = settings;
      return {
        begins: !rests && moisture !== null && automatic !== null && isDry(automatic, moisture),
        state,
      };
    }
    case "reservation": {
      const { timezone, reservation } = settings;
      // A wall clock set back would leave `since` in the future, and every occurrence before it.
      const since = Math.min(state.since.now, moment.now);
      const due = occurrencesAround(reservation?.onTime ?? "", timezone, moment.now).find(
        ({ name, at }) =>
          at >= since && moment.now >= at && moment.now < at + LATE_MS && !state.taken.includes(name),
      );
      if (!due) return { begins: false, state };
      return {
        begins: true,
        state: { ...state, taken: [...state.taken, due.name].slice(-REMEMBERED_OCCURRENCES) },
      };
    }
    case "period": {
      const interval = (settings.period?.wateringInterval ?? 0) * MINUTE_MS;
      const passed = moment.monotonic - state.countsFrom.monotonic;
      const starts = Math.floor(passed / interval);
      if (starts < 1) return { begins: false, state };
      const countsFrom = later(moment, starts * interval - passed);
      return { begins: passed - starts * interval < LATE_MS, state: { ...state, countsFrom } };
    }
  }
}

/** Return the time of the next possible change, on the monotonic clock. */
function nextLook(settings: EngineSettings, state: EngineState, { now, monotonic }: Moment): number {
  const dues = [monotonic + LOOK_MS];
  if (state.run) dues.push(state.run.endsAt.monotonic);
  else if (settings.active === "automatic" && state.restsUntil) dues.push(state.restsUntil.monotonic);
  else if (settings.active === "period" && settings.period?.wateringInterval) {
    dues.push(state.countsFrom.monotonic + settings.period.wateringInterval * MINUTE_MS);
  } else if (settings.active === "reservation") dues.push(monotonic + MINUTE_MS - (now % MINUTE_MS));
  return Math.min(...dues.filter((due) => due > monotonic));
}

/**
 * Decide the action for a channel's valve by its mode. Pure: the caller executes the action, stores the state
 * and calls again at `nextLookAt`. Each open has an end, which must be sent to the valve with it.
 *
 * @param moisture mean of the channel's sensor values received within the hour, %; null where there is none
 */
export function decide(
  settings: EngineSettings,
  before: EngineState,
  moisture: number | null,
  moment: Moment,
): Decision {
  const charged = takeCharge(settings, before, moment);
  const reason = endOf(settings, charged, moisture, moment);
  if (charged.run && reason) {
    const { state, clears } = ended(settings, charged, moment);
    const action: Action = { kind: "close", mode: charged.run.mode, reason };
    return { action, state, clears, nextLookAt: nextLook(settings, state, moment) };
  }
  const idle = charged.run !== null || missingOf(settings) !== null;
  const { begins, state } = idle
    ? { begins: false, state: charged }
    : beginning(settings, charged, moisture, moment);
  if (!begins || settings.active === "none") {
    return { action: NOTHING, state, clears: null, nextLookAt: nextLook(settings, state, moment) };
  }
  const forMs = runLengthOf(settings);
  const endsAt = later(moment, forMs);
  const running: EngineState = { ...state, run: { mode: settings.active, startedAt: moment, endsAt } };
  const action: Action = { kind: "open", mode: settings.active, until: endsAt.now, forMs };
  return { action, state: running, clears: null, nextLookAt: nextLook(settings, running, moment) };
}
