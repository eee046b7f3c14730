import type { NotificationType } from "@mulkko/shared/entities/notification";
import { batteryLimits, isVolts, signalLimits } from "@mulkko/shared/rules/device-health";
import { contactTime } from "@mulkko/shared/rules/presence";
import { type DeviceContact, LATE_MS } from "../../devices/received.ts";

/**
 * Rules of device conditions. A condition begins with one notification and ends without one. The gap between
 * its two limits avoids repeated conditions for a value that oscillates around one limit.
 *
 * - BATTERY: below 20 % until at 25 % or above.
 * - RSSI: below -110 dBm until at -105 dBm or above.
 * - DEVICE: no message within its allowed silence, until any message arrives but one of the past (FLIP-1).
 *
 * A message without a value, or with a battery in volts, changes no condition of that type. A live
 * message is newer than all before it, whatever its time (ORD-1). Another one is late if it is not newer than the
 * one before, or its time is more than an hour ago; its values are ignored.
 */
const LIMITS_OF = { BATTERY: batteryLimits, RSSI: signalLimits } as const;

/** Known state of a device. Times are ms since 1970 UTC. */
export interface ConditionState {
  /** Time of the last contact; null: never. */
  readonly heardAt: number | null;
  /** Time of the newest message whose values were evaluated. */
  readonly evaluatedAt: number;
  /** Conditions in progress. */
  readonly open: Readonly<Record<NotificationType, boolean>>;
}

/** Beginning or end of an condition. */
export type ConditionChange =
  | {
      readonly type: NotificationType;
      readonly begins: true;
      /** %, dBm, or the time of the device's last message. */
      readonly value: number;
    }
  | { readonly type: NotificationType; readonly begins: false };

export interface Evaluation {
  readonly state: ConditionState;
  readonly changes: readonly ConditionChange[];
}

export const NEVER_SEEN: ConditionState = {
  heardAt: null,
  evaluatedAt: Number.NEGATIVE_INFINITY,
  open: { BATTERY: false, RSSI: false, DEVICE: false },
};

const NO_CHANGES: readonly ConditionChange[] = [];

/** Return the state with an condition opened or closed. */
export const withOpen = (state: ConditionState, type: NotificationType, isOpen: boolean): ConditionState => ({
  ...state,
  open: { ...state.open, [type]: isOpen },
});

function changeOf(
  type: "BATTERY" | "RSSI",
  deviceType: string,
  isOpen: boolean,
  value: number | null,
): ConditionChange | null {
  if (value === null || (type === "BATTERY" && isVolts(value))) return null;
  const { beginsBelow, endsFrom } = LIMITS_OF[type](deviceType);
  if (!isOpen && value < beginsBelow) return { type, begins: true, value };
  return isOpen && value >= endsFrom ? { type, begins: false } : null;
}

/** Evaluate a message of a device. @param now ms since 1970 UTC */
export function evaluateContact(
  before: ConditionState,
  contact: DeviceContact,
  deviceType: string,
  now: number,
): Evaluation {
  const { open, evaluatedAt } = before;
  const heardAt = contact.isLive ? contact.heardAt : contactTime(contact);
  const isNewer = contact.isLive || before.heardAt === null || heardAt > before.heardAt;
  // A device whose clock is ahead must not make all later messages look late.
  const at = Math.min(contact.at, now);
  const isLate = !contact.isLive && (at <= evaluatedAt || at < now - LATE_MS);
  const changes: ConditionChange[] = [];
  if (open.DEVICE && isNewer && heardAt === contact.heardAt) changes.push({ type: "DEVICE", begins: false });
  if (!isLate) {
    const battery = changeOf("BATTERY", deviceType, open.BATTERY, contact.battery);
    if (battery) changes.push(battery);
    const rssi = changeOf("RSSI", deviceType, open.RSSI, contact.rssi);
    if (rssi) changes.push(rssi);
  }
  let state: ConditionState = {
    heardAt: isNewer ? heardAt : before.heardAt,
    evaluatedAt: isLate ? evaluatedAt : at,
    open,
  };
  for (const { type, begins } of changes) state = withOpen(state, type, begins);
  return { state, changes: changes.length === 0 ? NO_CHANGES : changes };
}

/** Open an condition of silence; a device that never sent has none. */
export function fallSilent(before: ConditionState): Evaluation {
  if (before.heardAt === null || before.open.DEVICE) return { state: before, changes: NO_CHANGES };
  return {
    state: withOpen(before, "DEVICE", true),
    changes: [{ type: "DEVICE", begins: true, value: before.heardAt }],
  };
}
