import type { Alarm } from "@mulkko/shared/live/alarm";
import { parseDeviceKey } from "@mulkko/shared/live/keys";
import type { DisplayPage } from "@mulkko/shared/rest/displays";
import { inOrder, isUrgent } from "../../alarms/present-alarms.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import { placeOf } from "../../ui/map/place.ts";

/** How long the pages stand still after somebody touched the screen, ms. */
export const HOLD_MS = 60_000;

/**
 * Leave out pages that have nothing to show: a map without places, valves or trends of a farm without them. All pages
 * stay before the farm is known, and where nothing else would be left.
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

/** Where the turning stands; times are ms on the monotonic clock. */
export interface Rotation {
  /** Place in the list of pages. */
  readonly index: number;
  /** How often the first page has come again: pages with more than fits show another part of it each time. */
  readonly lap: number;
  readonly turnedAt: number;
  /** When the lap began; a page that is pinned goes on with its laps. */
  readonly lapAt: number;
  readonly heldUntil: number;
}

/** What turns, and how fast. */
export interface TurnPlan {
  readonly pages: readonly DisplayPage[];
  readonly turnMs: number;
  /** The page that must not go away: something most urgent is on it. */
  readonly pinned: DisplayPage | null;
}

export const startRotation = (now: number): Rotation => ({
  index: 0,
  lap: 0,
  turnedAt: now,
  lapAt: now,
  heldUntil: now,
});

/** The page that is shown. */
export function shownPage({ index }: Rotation, { pages, pinned }: TurnPlan): DisplayPage {
  return pinned ?? pages[index % Math.max(1, pages.length)] ?? "overview";
}

/** Goes on by some pages, back with a negative number. */
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

/** What becomes of it at an instant: the same object while nothing does. */
export function turned(rotation: Rotation, plan: TurnPlan, now: number): Rotation {
  const isHeldNow = isHeld(rotation, now);
  if (plan.pinned !== null) {
    // A page that was pinned stands its whole time once it may go. What has no room on it takes turns meanwhile.
    const isLap = !isHeldNow && now - rotation.lapAt >= plan.turnMs;
    return { ...rotation, turnedAt: now, ...(isLap && { lap: rotation.lap + 1, lapAt: now }) };
  }
  if (isHeldNow || now - rotation.turnedAt < plan.turnMs) return rotation;
  return step(rotation, plan, 1, now);
}

/** Somebody has touched the screen: what they look at stays for a while. */
export function held(rotation: Rotation, now: number): Rotation {
  return { ...rotation, heldUntil: now + HOLD_MS };
}

export const isHeld = ({ heldUntil }: Rotation, now: number): boolean => now < heldUntil;

const isValve = (kind: string | undefined): boolean => kind === "channel" || kind === "controller";

/** The page on which the most urgent is seen best, of those that this screen shows; null while nothing is urgent. */
export function pinnedPage(alarms: Iterable<Alarm>, pages: readonly DisplayPage[]): DisplayPage | null {
  const urgent = inOrder(alarms).find(isUrgent);
  if (urgent === undefined) return null;
  const wanted: readonly DisplayPage[] = isValve(parseDeviceKey(urgent.key)?.kind)
    ? ["valves", "overview", "alarms"]
    : ["overview", "alarms", "valves"];
  return wanted.find((page) => pages.includes(page)) ?? pages[0] ?? null;
}
