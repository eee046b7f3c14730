import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import type { Valve } from "../devices/truth.ts";
import type { ShownValve } from "../people/phone.ts";
import { claimOf, wordsOf } from "./lies.ts";

/** Alarms that say that something is away. */
const AWAY: ReadonlySet<AlarmType> = new Set([
  "offline",
  "controller-offline",
  "controller-offline-watering",
  "no-access",
  "not-storing",
  "upstream-down",
  "broker-down",
  "farm-link",
]);

/** Alarms that end with the water of their valve. */
const WATER: ReadonlySet<AlarmType> = new Set(["open-too-long", "external-open", "late-opening"]);

/**
 * W-12: return what is not well on a screen although nothing has been wrong for a while; null if all is well.
 *
 * @param valves with what the screen says of each; null for one that it does not list
 * @param mayBeUnknown what it says of them need not be of now
 */
export function unrestOf(
  valves: readonly { readonly valve: Valve; readonly shown: ShownValve | null }[],
  alarms: readonly Alarm[],
  unanswered: number,
  mayBeUnknown = false,
): string | null {
  if (unanswered > 0) return `${unanswered} commands have no answer`;
  for (const { valve, shown } of valves) {
    const actual = valve.isOpen ? "open" : "closed";
    if (!shown) return `${valve.name} is not listed`;
    if (mayBeUnknown && claimOf(shown) === null) continue;
    if (claimOf(shown) !== actual) return `${valve.name} is ${actual}, and reads "${wordsOf(shown)}"`;
  }
  return leftAlarmOf(
    alarms,
    valves.some(({ valve }) => valve.isOpen),
  );
}

/** W-12: return which alarm is left that nothing explains; null for none. */
export function leftAlarmOf(
  alarms: readonly Pick<Alarm, "active" | "type">[],
  isWatering: boolean,
): string | null {
  const left = alarms.find(
    ({ active, type }) => active && (AWAY.has(type) || (WATER.has(type) && !isWatering)),
  );
  return left ? `the alarm ${left.type} is left` : null;
}
