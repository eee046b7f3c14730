import type { NotificationType } from "@mulkko/shared/entities/notification";
import { DEVICE_HEALTH, isVolts } from "@mulkko/shared/rules/device-health";
import { type DeviceContact, LATE_MS } from "../../devices/received.ts";

/**
 * Rules of alert episodes. An episode begins with one notification and ends without one. The gap between its
 * two limits avoids repeated episodes for a value that oscillates around one limit.
 *
 * - BATTERY: below 20 % until at 25 % or above.
 * - RSSI: below -110 dBm until at -105 dBm or above.
 * - DEVICE: no message within its allowed silence (see silence.ts), until any message arrives.
 *
 * A message without a value, or with a battery in volts, changes no episode of that type. A message is late
 * if it is not newer than the one before, or its time is more than an hour ago. A late message counts as a
 * sign of life, but its values are ignored.
 */
export const LIMITS = {
  BATTERY: { beginsBelow: DEVICE_HEALTH.battery.lowBelow, endsFrom: DEVICE_HEALTH.battery.wellFrom },
  RSSI: { beginsBelow: DEVICE_HEALTH.signal.weakBelow, endsFrom: DEVICE_HEALTH.signal.wellFrom },
} as const;

/** Known state of a device. Times are ms since 1970 UTC. */
export interface AlertState {
  /** Time of the newest message; null: never. */
  readonly heardAt: number | null;
  /** Time of the newest message whose values were evaluated. */
  readonly judgedAt: number;
  /** Episodes in progress. */
  readonly open: Readonly<Record<NotificationType, boolean>>;
}

/** Beginning or end of an episode. */
export type Turn =
  | {
      readonly type: NotificationType;
      readonly begins: true;
      /** %, dBm, or the time of the device's last message. */
      readonly value: number;
    }
  | { readonly type: NotificationType; readonly begins: false };

export interface Judgement {
  readonly state: AlertState;
  readonly turns: readonly Turn[];
}

export const NEVER_SEEN: AlertState = {
  heardAt: null,
  judgedAt: Number.NEGATIVE_INFINITY,
  open: { BATTERY: false, RSSI: false, DEVICE: false },
};

const NO_TURNS: readonly Turn[] = [];

/** Return the state with an episode opened or closed. */
export const withOpen = (state: AlertState, type: NotificationType, isOpen: boolean): AlertState => ({
  ...state,
  open: { ...state.open, [type]: isOpen },
});

function turnOf(type: "BATTERY" | "RSSI", isOpen: boolean, value: number | null): Turn | null {
  if (value === null || (type === "BATTERY" && isVolts(value))) return null;
  const { beginsBelow, endsFrom } = LIMITS[type];
  if (!isOpen && value < beginsBelow) return { type, begins: true, value };
  return isOpen && value >= endsFrom ? { type, begins: false } : null;
}

/** Evaluate a message of a device. @param now ms since 1970 UTC */
export function judgeContact(before: AlertState, contact: DeviceContact, now: number): Judgement {
  const { open, judgedAt } = before;
  const isNewer = before.heardAt === null || contact.heardAt > before.heardAt;
  // A device whose clock is ahead must not make all later messages look late.
  const at = Math.min(contact.at, now);
  const isLate = at <= judgedAt || at < now - LATE_MS;
  const turns: Turn[] = [];
  if (open.DEVICE && isNewer) turns.push({ type: "DEVICE", begins: false });
  if (!isLate) {
    const battery = turnOf("BATTERY", open.BATTERY, contact.battery);
    if (battery) turns.push(battery);
    const rssi = turnOf("RSSI", open.RSSI, contact.rssi);
    if (rssi) turns.push(rssi);
  }
  let state: AlertState = {
    heardAt: isNewer ? contact.heardAt : before.heardAt,
    judgedAt: isLate ? judgedAt : at,
    open,
  };
  for (const { type, begins } of turns) state = withOpen(state, type, begins);
  return { state, turns: turns.length === 0 ? NO_TURNS : turns };
}

/** Open an episode of silence; a device that never sent has none. */
export function fallSilent(before: AlertState): Judgement {
  if (before.heardAt === null || before.open.DEVICE) return { state: before, turns: NO_TURNS };
  return {
    state: withOpen(before, "DEVICE", true),
    turns: [{ type: "DEVICE", begins: true, value: before.heardAt }],
  };
}
