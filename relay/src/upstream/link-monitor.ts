import type { Clock } from "@mulkko/shared/rules/clock";
import type { LinkMonitor, LinkState } from "../ports/link.ts";
import type { Timers } from "../ports/timers.ts";
import { createListeners } from "../streams/listeners.ts";

/** The monitor, and how the parts of the relay tell it what they see. */
export interface LinkWatch extends LinkMonitor {
  /** The API or its broker was heard. */
  heard(): void;
  /** One call failed by a fault of the API or of the way to it. */
  stumbled(): void;
  /** Whether the API can be asked at all: the breaker's state. */
  reachable(is: boolean): void;
  /** Polls are stretched or paused: what is shown is older than usual. */
  strained(is: boolean): void;
  /** ONL-3: ms by which its times seem to be ahead of ours; null: nothing is wrong with them. */
  clockSuspect(offset: number | null): void;
  mqtt(state: LinkState["mqtt"]): void;
  store(state: LinkState["store"]): void;
  notStoring(trouble: LinkState["notStoring"]): void;
  close(): void;
}

/** ms without a fault until `degraded` is over. */
const STUMBLE_MS = 30_000;
/** ms by which a suspected offset has to differ to be told anew. */
const OFFSET_STEP_MS = 60_000;

/** Puts together how the farm API, its broker and the store stand (ONL-4). */
export function createLinkMonitor(parts: {
  clock: Clock;
  timers: Timers;
  mqtt: LinkState["mqtt"];
  store: LinkState["store"];
  onError: (error: unknown) => void;
}): LinkWatch {
  const { clock, timers } = parts;
  const listeners = createListeners<LinkState>(parts.onError);
  const seen = { reachable: false, stumbling: false, strained: false };
  let offset: number | null = null;
  let state: LinkState = {
    upstream: "down",
    mqtt: parts.mqtt,
    store: parts.store,
    since: clock.now(),
    heardAt: null,
    suspectedOffset: null,
    notStoring: null,
  };
  let calm: { cancel(): void } | undefined;

  const upstream = (): LinkState["upstream"] => {
    if (!seen.reachable) return "down";
    if (offset !== null) return "clock";
    return seen.stumbling || seen.strained ? "degraded" : "up";
  };
  const update = (change: Partial<LinkState> = {}): void => {
    const now = upstream();
    const shown = now === "clock" ? offset : null;
    // One that wavers is no news.
    const wavers =
      shown !== null &&
      state.suspectedOffset !== null &&
      Math.abs(shown - state.suspectedOffset) < OFFSET_STEP_MS;
    const suspectedOffset = wavers ? state.suspectedOffset : shown;
    const next = { ...state, ...change, upstream: now, suspectedOffset };
    const same =
      next.upstream === state.upstream &&
      next.mqtt === state.mqtt &&
      next.store === state.store &&
      next.notStoring?.fault === state.notStoring?.fault &&
      next.suspectedOffset === state.suspectedOffset;
    state = same ? next : { ...next, since: clock.now() };
    if (!same) listeners.call(state);
  };
  return {
    get state() {
      return state;
    },
    listen: listeners.add,
    heard() {
      state = { ...state, heardAt: clock.now() };
    },
    stumbled() {
      seen.stumbling = true;
      calm?.cancel();
      calm = timers.after(STUMBLE_MS, () => {
        seen.stumbling = false;
        update();
      });
      update();
    },
    reachable(is) {
      seen.reachable = is;
      update();
    },
    strained(is) {
      seen.strained = is;
      update();
    },
    clockSuspect(suspected) {
      offset = suspected;
      update();
    },
    mqtt: (mqtt) => update({ mqtt }),
    store: (store) => update({ store }),
    notStoring: (notStoring) => update({ notStoring }),
    close() {
      calm?.cancel();
    },
  };
}
