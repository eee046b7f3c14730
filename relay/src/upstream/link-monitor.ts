import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { StorageFault } from "@mulkko/shared/rules/storage-fault";
import { createListeners } from "../store/streams/listeners.ts";

/**
 * Link state of the relay, the farm API, its broker and the store (ONL-4); `since` and `heardAt` are ms UTC.
 */
export interface LinkState {
  readonly upstream: "up" | "degraded" | "down" | "clock";
  readonly mqtt: "up" | "down" | "off";
  readonly store: "redis" | "embedded" | "down";
  readonly since: number;
  readonly heardAt: number | null;
  /**
   * ONL-3: ms by which the API's times appear to be ahead of the relay's (negative: behind); null unless
   * `clock`.
   */
  readonly suspectedOffset: number | null;
  /**
   * Why and since when (ms UTC) the farm API stores no readings; null while it does, or does not report it.
   */
  readonly notStoring: { readonly fault: StorageFault; readonly since: number } | null;
  /** False until the farm API has reported once if it stores readings. */
  readonly storingKnown: boolean;
}

export interface LinkMonitor {
  readonly state: LinkState;
  listen(listener: (state: LinkState) => void): () => void;
}

/** Call a listener each time the API can be asked again. Return the unsubscribe function. */
export function onReachableAgain(link: LinkMonitor, listener: () => void): () => void {
  let wasDown = link.state.upstream === "down";
  return link.listen(({ upstream }) => {
    const isBack = wasDown && upstream !== "down";
    wasDown = upstream === "down";
    if (isBack) listener();
  });
}

/** The link monitor, with the inputs from the relay's components. */
export interface LinkWatch extends LinkMonitor {
  /** Record a sign of life from the API or its broker. */
  received(): void;
  /** Record a call that failed by a fault of the API or of the connection. */
  callFailed(): void;
  /** Set if the API can be asked at all: the breaker's state. */
  reachable(is: boolean): void;
  /** Set if polls are stretched or paused: displayed values are older than usual. */
  pollsSlowed(is: boolean): void;
  /** ONL-3: set the ms by which the API's times appear to be ahead of the relay's; null: they are right. */
  clockSuspect(offset: number | null): void;
  mqtt(state: LinkState["mqtt"]): void;
  store(state: LinkState["store"]): void;
  notStoring(trouble: LinkState["notStoring"]): void;
  close(): void;
}

/** ms without a fault until `degraded` ends. */
const STUMBLE_MS = 30_000;
/** Minimum change of a suspected offset before it is reported again, ms. */
const OFFSET_STEP_MS = 60_000;

/** Combine the states of the farm API, its broker and the store (ONL-4). */
export function createLinkMonitor(deps: {
  clock: Clock;
  timers: Timers;
  mqtt: LinkState["mqtt"];
  store: LinkState["store"];
  onError: (error: unknown) => void;
}): LinkWatch {
  const { clock, timers } = deps;
  const listeners = createListeners<LinkState>(deps.onError);
  const seen = { reachable: false, stumbling: false, strained: false };
  /** The farm API may be started after the relay: no trouble of the link. */
  let wasReachable = false;
  let offset: number | null = null;
  let state: LinkState = {
    upstream: "down",
    mqtt: deps.mqtt,
    store: deps.store,
    since: clock.now(),
    heardAt: null,
    suspectedOffset: null,
    notStoring: null,
    storingKnown: false,
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
    // A slightly different offset is not a change.
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
      next.storingKnown === state.storingKnown &&
      next.suspectedOffset === state.suspectedOffset;
    state = same ? next : { ...next, since: clock.now() };
    if (!same) listeners.call(state);
  };
  return {
    get state() {
      return state;
    },
    listen: listeners.add,
    received() {
      state = { ...state, heardAt: clock.now() };
    },
    callFailed() {
      if (!wasReachable) return;
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
      wasReachable ||= is;
      update();
    },
    pollsSlowed(is) {
      seen.strained = is;
      update();
    },
    clockSuspect(suspected) {
      offset = suspected;
      update();
    },
    mqtt: (mqtt) => update({ mqtt }),
    store: (store) => update({ store }),
    notStoring: (notStoring) => update({ notStoring, storingKnown: true }),
    close() {
      calm?.cancel();
    },
  };
}
