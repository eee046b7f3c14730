import type { DisplayPage } from "@mulkko/shared/rest/displays";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Timers } from "../../live/timers.ts";
import {
  held,
  isHeld,
  type Rotation,
  shownPage,
  startRotation,
  step,
  type TurnPlan,
  turned,
} from "./rotation.ts";

/** What is on the screen, and why it stays there. */
export interface Turning {
  readonly page: DisplayPage;
  readonly lap: number;
  readonly stays: "pinned" | "held" | null;
}

export interface TurningDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly plan: TurnPlan;
  /** Called at each turn of the page, once the next one is shown. */
  readonly turns: () => void;
}

/** Turns the pages, for ever. */
export interface Turner {
  readonly store: StoreApi<Turning>;
  replan(plan: TurnPlan): void;
  /** Somebody touches the screen. */
  touched(): void;
  /** Somebody asks for another page. */
  turn(by: 1 | -1): void;
  /** @returns stops */
  start(): () => void;
}

/** How often it is looked whether it is time, ms; a page may stand for less than a second in a soak. */
const LOOK_EVERY_MS = 500;

export function createTurner({ clock, timers, plan: first, turns }: TurningDeps): Turner {
  let plan = first;
  let rotation = startRotation(clock.monotonic());
  let cancel: () => void = () => undefined;
  const show = (): Turning => ({
    page: shownPage(rotation, plan),
    lap: rotation.lap,
    stays: plan.pinned !== null ? "pinned" : isHeld(rotation, clock.monotonic()) ? "held" : null,
  });
  const store = createStore<Turning>(show);
  const put = (next: Rotation) => {
    rotation = next;
    const before = store.getState();
    const now = show();
    if (before.page !== now.page || before.lap !== now.lap || before.stays !== now.stays)
      store.setState(now, true);
  };
  const look = () => {
    const next = turned(rotation, plan, clock.monotonic());
    const isTurn = plan.pinned === null && (next.index !== rotation.index || next.lap !== rotation.lap);
    put(next);
    if (isTurn) turns();
    cancel = timers.after(Math.min(LOOK_EVERY_MS, plan.turnMs / 2), look);
  };
  return {
    store,
    replan(next) {
      plan = next;
      put(rotation);
    },
    touched: () => put(held(rotation, clock.monotonic())),
    turn: (by) => put(step(held(rotation, clock.monotonic()), plan, by, clock.monotonic())),
    start() {
      look();
      return () => cancel();
    },
  };
}
