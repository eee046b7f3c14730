import { pauseAfter } from "@mulkko/shared/rules/automatic-mode";
import { type EngineSettings, MINUTE_MS, type Mode, runLengthOf } from "./engine-settings.ts";

/**
 * A time on both clocks, ms. Times within this process are compared on the monotonic clock, which ignores
 * changes of the wall clock. The wall clock survives a restart.
 */
export interface Moment {
  readonly now: number;
  readonly monotonic: number;
}

/** A run of the engine. */
export interface Run {
  readonly mode: Mode;
  readonly startedAt: Moment;
  readonly endsAt: Moment;
}

/** The engine's state of a channel. It is plain data that JSON can store. */
export interface EngineState {
  /** Identifies the active mode: another text is another activation. */
  readonly charge: string;
  /** Time of activation. */
  readonly since: Moment;
  readonly run: Run | null;
  /** End of the automatic mode's pause. */
  readonly restsUntil: Moment | null;
  /** Start of the period's interval: the last due start, or the activation. */
  readonly countsFrom: Moment;
  /** Occurrences of the reservation that already ran, by name, newest last. */
  readonly taken: readonly string[];
}

/** A pause is as long as the run, and a run is a day at most. */
const LONGEST_REST_MS = 24 * 60 * MINUTE_MS;

export const REMEMBERED_OCCURRENCES = 16;

export const later = ({ now, monotonic }: Moment, ms: number): Moment => ({
  now: now + ms,
  monotonic: monotonic + ms,
});

/** Return the state of a new channel: everything due before `moment` is past. */
export const newState = (moment: Moment): EngineState => ({
  charge: "",
  since: moment,
  run: null,
  restsUntil: null,
  countsFrom: moment,
  taken: [],
});

/** Convert a stored state to this process's monotonic clock. */
export function restored(state: EngineState, moment: Moment): EngineState {
  const past = (then: Moment): Moment => later(moment, Math.min(0, then.now - moment.now));
  const ahead = (then: Moment, most: number): Moment =>
    later(moment, Math.min(most, Math.max(0, then.now - moment.now)));
  const { run, restsUntil } = state;
  const length = run ? run.endsAt.now - run.startedAt.now : 0;
  return {
    ...state,
    since: past(state.since),
    countsFrom: past(state.countsFrom),
    restsUntil: restsUntil && ahead(restsUntil, LONGEST_REST_MS),
    // After the wall clock was set back, nothing says how much of a run is left: at most all of it. Its valve has the end.
    run: run && { ...run, startedAt: past(run.startedAt), endsAt: ahead(run.endsAt, length) },
  };
}

/** Return the length of the automatic mode's pause after a run. */
export const restAfter = (settings: EngineSettings): number => pauseAfter(runLengthOf(settings));

/** State after a run, and the mode whose single run is done. */
export interface Ending {
  readonly state: EngineState;
  /** The mode whose flag is cleared: it was to run once. */
  readonly clears: Mode | null;
}

/** End the current run, whatever closed the valve. */
export function ended(settings: EngineSettings, state: EngineState, moment: Moment): Ending {
  const { run } = state;
  if (!run) return { state, clears: null };
  const after: EngineState = {
    ...state,
    run: null,
    restsUntil: run.mode === "automatic" ? later(moment, restAfter(settings)) : state.restsUntil,
  };
  const isOnce =
    run.mode === settings.active && run.mode !== "automatic" && settings[run.mode]?.repeat === false;
  return { state: after, clears: isOnce ? run.mode : null };
}
