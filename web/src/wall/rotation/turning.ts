import type { DisplayPage } from "@mulkko/shared/rest/displays";
import type { Clock, Timer, Timers } from "@mulkko/shared/rules/clock";
import { createStore, type StoreApi } from "zustand/vanilla";
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

/** Displayed page, and why it stays. */
export interface PageRotation {
  readonly page: DisplayPage;
  readonly lap: number;
  readonly stays: "pinned" | "held" | null;
}

export interface PageRotationDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly plan: TurnPlan;
  /** Called at each turn, after the next page is shown. */
  readonly turns: () => void;
}

/** Turns the pages until stopped. */
export interface Turner {
  readonly store: StoreApi<PageRotation>;
  replan(plan: TurnPlan): void;
  /** Record a touch of the screen. */
  noteTouch(): void;
  /** Turn to another page on the user's request. */
  turn(by: 1 | -1): void;
  /** @returns a function that stops */
  start(): () => void;
}

/** Interval between checks, ms; in a soak test a page may stay for less than a second. */
const CHECK_EVERY_MS = 500;

export function createTurner({ clock, timers, plan: first, turns }: PageRotationDeps): Turner {
  let plan = first;
  let rotation = startRotation(clock.monotonic());
  let timer: Timer | undefined;
  const show = (): PageRotation => ({
    page: shownPage(rotation, plan),
    lap: rotation.lap,
    stays: plan.pinned !== null ? "pinned" : isHeld(rotation, clock.monotonic()) ? "held" : null,
  });
  const store = createStore<PageRotation>(show);
  const put = (next: Rotation) => {
    rotation = next;
    const before = store.getState();
    const now = show();
    if (before.page !== now.page || before.lap !== now.lap || before.stays !== now.stays)
      store.setState(now, true);
  };
  const check = () => {
    const next = turned(rotation, plan, clock.monotonic());
    const isTurn = plan.pinned === null && (next.index !== rotation.index || next.lap !== rotation.lap);
    put(next);
    if (isTurn) turns();
    timer = timers.after(Math.min(CHECK_EVERY_MS, plan.turnMs / 2), check);
  };
  return {
    store,
    replan(next) {
      plan = next;
      put(rotation);
    },
    noteTouch: () => put(held(rotation, clock.monotonic())),
    turn: (by) => put(step(held(rotation, clock.monotonic()), plan, by, clock.monotonic())),
    start() {
      check();
      return () => timer?.cancel();
    },
  };
}
