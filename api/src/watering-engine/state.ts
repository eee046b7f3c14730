import { pauseAfter } from "@mulkko/shared/rules/automatic-mode";
import { type EngineSettings, type Mode, runLengthOf } from "./settings.ts";
import { MINUTE_MS } from "./time-of-day.ts";

/**
 * A point of time on both clocks, ms: what is measured in this process is compared on the steady one, which no
 * setting of the wall clock moves; the other one lives through a restart.
 */
export interface Moment {
  readonly now: number;
  readonly monotonic: number;
}

/** Water that the engine lets flow. */
export interface Run {
  readonly mode: Mode;
  readonly startedAt: Moment;
  readonly endsAt: Moment;
}

/** What the engine remembers of a channel. It is plain data: `JSON` keeps it. */
export interface EngineState {
  /** What is in charge, as a text: another text is another charge. */
  readonly charge: string;
  /** When it took charge. */
  readonly since: Moment;
  readonly run: Run | null;
  /** Until when the automatic mode rests. */
  readonly restsUntil: Moment | null;
  /** From when the period counts: the start that was due last, or when it took charge. */
  readonly countsFrom: Moment;
  /** Occurrences of the reservation that had their run, by name, the newest last. */
  readonly taken: readonly string[];
}

/** A rest is as long as the run, and a run is a day at most. */
const LONGEST_REST_MS = 24 * 60 * MINUTE_MS;

export const REMEMBERED_OCCURRENCES = 16;

export const later = ({ now, monotonic }: Moment, ms: number): Moment => ({
  now: now + ms,
  monotonic: monotonic + ms,
});

/** A channel of which nothing is remembered: whatever was due before `moment` is past. */
export const newState = (moment: Moment): EngineState => ({
  charge: "",
  since: moment,
  run: null,
  restsUntil: null,
  countsFrom: moment,
  taken: [],
});

/** A state that was kept while the process was away, on this process's steady clock. */
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
    // A wall clock that was set back makes a run look as if it were still to begin: it is over.
    run: run && {
      ...run,
      startedAt: past(run.startedAt),
      endsAt: run.startedAt.now > moment.now ? moment : ahead(run.endsAt, length),
    },
  };
}

/** How long the automatic mode rests after a run. */
export const restAfter = (settings: EngineSettings): number => pauseAfter(runLengthOf(settings));

/** A run's end: what is remembered after it, and the mode that has done its one run. */
export interface Ending {
  readonly state: EngineState;
  /** The mode whose flag clears: it was to run once. */
  readonly clears: Mode | null;
}

/** Ends the run under way, whoever closed the valve. */
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
