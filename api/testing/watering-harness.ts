import { type Decision, decide } from "../src/valves/modes/decide.ts";
import { type EngineSettings, MINUTE_MS, NO_SETTINGS } from "../src/valves/modes/engine-settings.ts";
import {
  type Ending,
  type EngineState,
  ended,
  type Moment,
  newState,
  restored,
} from "../src/valves/modes/engine-state.ts";

/** A run as the valve executed it. Times are on the monotonic clock of the whole test, ms. */
export interface SeenRun {
  readonly mode: string;
  readonly wallStart: number;
  readonly from: number;
  /** The end in the open command. */
  readonly until: number;
  closed: number | null;
  reason: string | null;
}

/** A channel whose valve obeys the engine, with clock jumps and process restarts. */
export interface Harness {
  readonly runs: readonly SeenRun[];
  readonly cleared: readonly string[];
  moment(): Moment;
  moisture: number | null;
  set(settings: Partial<EngineSettings>): void;
  /** Advance the time; the engine is called whenever it is due. */
  pass(ms: number): void;
  /** Change the wall clock only. */
  jump(ms: number): void;
  /** Stop the process for `ms` and restart it with its stored state. The valve closes at its end. */
  restart(ms: number): void;
  closeByHand(): void;
}

export const minutes = (count: number): number => count * MINUTE_MS;

/** @param start ms since 1970 UTC */
export function createHarness(start: number): Harness {
  let wall = start;
  let steady = 0;
  // A new process has its own monotonic clock.
  let zero = -1_000;
  let settings: EngineSettings = { ...NO_SETTINGS, hasMoisture: true };
  let revision = 0;
  const moment = (): Moment => ({ now: wall, monotonic: steady - zero });
  let state: EngineState = newState(moment());
  let look = 0;
  const runs: SeenRun[] = [];
  const cleared: string[] = [];
  const open = (): SeenRun | undefined => runs.find((run) => run.closed === null);

  function shut(reason: string): void {
    const run = open();
    if (run) Object.assign(run, { closed: steady, reason });
  }
  function clear({ state: next, clears }: Ending | Decision): void {
    state = next;
    if (!clears) return;
    cleared.push(clears);
    settings = { ...settings, active: "none" };
  }
  function ask(): void {
    const decision = decide(settings, state, harness.moisture, moment());
    look = decision.nextLookAt + zero;
    clear(decision);
    const { action } = decision;
    if (action.kind === "close") shut(action.reason);
    if (action.kind !== "open") return;
    runs.push({
      mode: action.mode,
      wallStart: wall,
      from: steady,
      until: steady + action.forMs,
      closed: null,
      reason: null,
    });
  }

  const harness: Harness = {
    runs,
    cleared,
    moment,
    moisture: null,
    set(some) {
      revision += 1;
      settings = { ...settings, revision, ...some };
      ask();
    },
    pass(ms) {
      const target = steady + ms;
      while (steady < target) {
        const step = Math.min(target, Math.max(look, steady + 1)) - steady;
        steady += step;
        wall += step;
        ask();
      }
    },
    jump(ms) {
      wall += ms;
      ask();
    },
    restart(ms) {
      const kept: EngineState = JSON.parse(JSON.stringify(state));
      steady += ms;
      wall += ms;
      const run = open();
      // The valve knows its end, and closes without the engine.
      if (run && steady >= run.until) Object.assign(run, { closed: run.until, reason: "valve" });
      zero = steady - 500;
      state = restored(kept, moment());
      ask();
    },
    closeByHand() {
      if (!open()) return;
      shut("hand");
      clear(ended(settings, state, moment()));
      ask();
    },
  };
  return harness;
}
