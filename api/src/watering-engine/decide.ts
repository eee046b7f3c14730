import { isDry } from "@mulkko/shared/rules/automatic-mode";
import { type EngineSettings, type Mode, missingOf, runLengthOf } from "./settings.ts";
import { type EngineState, ended, later, type Moment, REMEMBERED_OCCURRENCES } from "./state.ts";
import { MINUTE_MS, occurrencesAround } from "./time-of-day.ts";

/** A start that is later than this is left out: nobody expects water then. */
export const LATE_MS = MINUTE_MS;
/** Time from one look to the next at most, so that a wall clock that is set is noticed. */
const LOOK_MS = 10_000;

/** Why a run ends: its time is over, it is wet enough, nothing measures any more, the mode lost its charge. */
export type EndReason = "done" | "upper-bound" | "no-moisture" | "not-in-charge";

export type Action =
  | { readonly kind: "nothing" }
  /** Let water flow until `until` (ms since 1970 UTC), which is `forMs` from now. */
  | { readonly kind: "open"; readonly mode: Mode; readonly until: number; readonly forMs: number }
  | { readonly kind: "close"; readonly mode: Mode; readonly reason: EndReason };

export interface Decision {
  readonly action: Action;
  readonly state: EngineState;
  /** When to ask again at the latest, on the steady clock, ms; earlier whenever settings or moisture change. */
  readonly nextLookAt: number;
  /** The mode whose flag clears: its one run is done. */
  readonly clears: Mode | null;
}

const NOTHING: Action = { kind: "nothing" };

/** What is in charge, as a text. A new saving of the same is a new charge. */
function chargeOf(settings: EngineSettings): string {
  const { active, revision, timezone } = settings;
  if (active === "none") return `none/${revision}`;
  return JSON.stringify([active, revision, settings[active], active === "reservation" ? timezone : null]);
}

function takeCharge(settings: EngineSettings, state: EngineState, moment: Moment): EngineState {
  const charge = chargeOf(settings);
  if (charge === state.charge) return state;
  return { ...state, charge, since: moment, countsFrom: moment };
}

/** Why the run under way is over, or null where it goes on. */
function endOf(
  settings: EngineSettings,
  { run }: EngineState,
  moisture: number | null,
  moment: Moment,
): EndReason | null {
  if (!run) return null;
  if (run.mode !== settings.active || missingOf(settings) !== null) return "not-in-charge";
  if (moment.monotonic >= run.endsAt.monotonic) return "done";
  if (run.mode !== "automatic") return null;
  if (moisture === null) return "no-moisture";
  const upper = settings.automatic?.upperBound ?? null;
  return upper !== null && moisture >= upper ? "upper-bound" : null;
}

/** The state with which a run of the mode in charge begins now, or without one where it does not. */
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
      // Set back, the wall clock would leave `since` in the future, and every occurrence before it.
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

/** When anything may be due next, on the steady clock. */
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
 * What is to be done with a channel's valve by its mode. Pure: whoever asks executes the action, keeps the state and
 * asks again at `nextLookAt`. Each opening has an end, which the valve is to be told with it.
 *
 * @param moisture mean of the channel's sensors heard within the hour, %; null where there is none
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
