import type { Alarm } from "@mulkko/shared/live/alarm";
import type { DisplayPage } from "@mulkko/shared/rest/displays";
import type { Clock, Timer, Timers } from "@mulkko/shared/rules/clock";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { createStore } from "zustand/vanilla";
import { inOrder, isUrgent } from "../../domain/alarm/present-alarms.ts";
import { placeOf } from "../../domain/map/place.ts";
import type { LiveFarm } from "../../live/hooks.ts";

/** Displayed page, and why it stays. */
export interface PageRotation {
  readonly page: DisplayPage;
  readonly lap: number;
  readonly stays: "pinned" | "held" | null;
}

/** Interval between checks, ms; in a soak test a page may stay for less than a second. */
const CHECK_EVERY_MS = 500;

export type Turner = ReturnType<typeof createTurner>;

/** Turn the pages until stopped. @param turns called at each turn, after the next page is shown */
export function createTurner(clock: Clock, timers: Timers, first: TurnPlan, turns: () => void) {
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
    replan(next: TurnPlan) {
      plan = next;
      put(rotation);
    },
    /** Record a touch of the screen. */
    noteTouch: () => put(held(rotation, clock.monotonic())),
    /** Turn to another page on the user's request. */
    turn: (by: 1 | -1) => put(step(held(rotation, clock.monotonic()), plan, by, clock.monotonic())),
    /** @returns a function that stops */
    start() {
      check();
      return () => timer?.cancel();
    },
  };
}

/** Time that the rotation pauses after a touch, ms. */
export const HOLD_MS = 60_000;

/**
 * Omit pages without content: a map without places, valves or trends of a farm without them. All pages stay
 * before the farm is known, and if none would be left.
 */
export function pagesWithContent(pages: readonly DisplayPage[], farm: LiveFarm): readonly DisplayPage[] {
  const sensors = [...farm.sensors.values()];
  if (sensors.length === 0 && farm.channels.size === 0) return pages;
  const isEmpty = (page: DisplayPage): boolean => {
    switch (page) {
      case "map":
        return !sensors.some(({ info }) => placeOf(info) !== null);
      case "valves":
        return farm.channels.size === 0;
      case "trends":
        return !sensors.some(({ info }) => info.deviceType !== "COT");
      case "overview":
      case "alarms":
      case "fleet":
        return false;
    }
  };
  const left = pages.filter((page) => !isEmpty(page));
  return left.length === 0 ? pages : left;
}

/** State of the rotation; times are ms on the monotonic clock. */
export interface Rotation {
  /** Index in the list of pages. */
  readonly index: number;
  /** Number of completed laps: pages with overlong lists show another part on each lap. */
  readonly lap: number;
  readonly turnedAt: number;
  /** Start of the lap; a pinned page continues its laps. */
  readonly lapAt: number;
  readonly heldUntil: number;
}

/** Pages and speed of the rotation. */
export interface TurnPlan {
  readonly pages: readonly DisplayPage[];
  readonly turnMs: number;
  /** Page that must stay: it shows an alarm of the highest priority. */
  readonly pinned: DisplayPage | null;
}

export const startRotation = (now: number): Rotation => ({
  index: 0,
  lap: 0,
  turnedAt: now,
  lapAt: now,
  heldUntil: now,
});

/** Return the displayed page. */
export function shownPage({ index }: Rotation, { pages, pinned }: TurnPlan): DisplayPage {
  return pinned ?? pages[index % Math.max(1, pages.length)] ?? "overview";
}

/** Advance by some pages, or back with a negative number. */
export function step(rotation: Rotation, { pages }: TurnPlan, by: number, now: number): Rotation {
  const count = Math.max(1, pages.length);
  const place = rotation.lap * count + Math.min(rotation.index, count - 1) + by;
  return {
    ...rotation,
    index: ((place % count) + count) % count,
    lap: Math.max(0, Math.floor(place / count)),
    turnedAt: now,
    lapAt: now,
  };
}

/** Return the rotation at an instant: the same object if it is unchanged. */
export function turned(rotation: Rotation, plan: TurnPlan, now: number): Rotation {
  const isHeldNow = isHeld(rotation, now);
  if (plan.pinned !== null) {
    // A formerly pinned page stays for its whole time. Meanwhile its overlong lists rotate.
    const isLap = !isHeldNow && now - rotation.lapAt >= plan.turnMs;
    return { ...rotation, turnedAt: now, ...(isLap && { lap: rotation.lap + 1, lapAt: now }) };
  }
  if (isHeldNow || now - rotation.turnedAt < plan.turnMs) return rotation;
  return step(rotation, plan, 1, now);
}

/** Pause the rotation after a touch: the user is reading the page. */
export function held(rotation: Rotation, now: number): Rotation {
  return { ...rotation, heldUntil: now + HOLD_MS };
}

export const isHeld = ({ heldUntil }: Rotation, now: number): boolean => now < heldUntil;

const isValve = (kind: string | undefined): boolean => kind === "channel" || kind === "controller";

/**
 * Return the screen's page that shows the most urgent alarm best; null without an urgent alarm.
 *
 * @param other the most urgent alarm of another account (WARN-7): the page `fleet` shows it
 */
export function pinnedPage(
  alarms: Iterable<Alarm>,
  pages: readonly DisplayPage[],
  other: Alarm | null = null,
): DisplayPage | null {
  const urgent = inOrder([...alarms, ...(other === null ? [] : [other])]).find(isUrgent);
  if (urgent === undefined) return null;
  if (urgent === other && pages.includes("fleet")) return "fleet";
  const wanted: readonly DisplayPage[] = isValve(parseDeviceKey(urgent.key)?.kind)
    ? ["valves", "overview", "alarms"]
    : ["overview", "alarms", "valves"];
  return wanted.find((page) => pages.includes(page)) ?? pages[0] ?? null;
}
