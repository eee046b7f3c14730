import type { NotificationType } from "@mulkko/shared/entities/notification";
import { DEVICE_HEALTH } from "@mulkko/shared/rules/device-health";
import { type Heard, LATE_MS } from "../ingest/heard.ts";

/**
 * When a device is unwell and when it is well again. An episode begins with one notification and ends without one;
 * the gap between its two limits keeps a value that wavers around one of them from beginning it over and over.
 *
 * - BATTERY: below 20 % until at 25 % or above.
 * - RSSI: below -110 dBm until at -105 dBm or above.
 * - DEVICE: not heard for its patience (see silence.ts) until it is heard, whatever it says.
 *
 * A message without a value says nothing about it. A message that is not newer than one before, or that tells of a
 * time more than an hour ago, is a late one: the device is heard, but its values are not those of now.
 */
export const LIMITS = {
  BATTERY: { beginsBelow: DEVICE_HEALTH.battery.lowBelow, endsFrom: DEVICE_HEALTH.battery.wellFrom },
  RSSI: { beginsBelow: DEVICE_HEALTH.signal.weakBelow, endsFrom: DEVICE_HEALTH.signal.wellFrom },
} as const;

/** What is known of a device. Times are milliseconds since 1970 UTC. */
export interface AlertState {
  /** null: never. */
  readonly heardAt: number | null;
  /** What the newest message is of whose values were looked at. */
  readonly judgedAt: number;
  /** The episodes that are under way. */
  readonly open: Readonly<Record<NotificationType, boolean>>;
}

/** An episode's beginning, or its end. */
export type Turn =
  | {
      readonly type: NotificationType;
      readonly begins: true;
      /** %, dBm, or when the device was last heard. */
      readonly value: number;
    }
  | { readonly type: NotificationType; readonly begins: false };

export interface Judgement {
  readonly state: AlertState;
  readonly turns: readonly Turn[];
}

export const NEVER_HEARD: AlertState = {
  heardAt: null,
  judgedAt: Number.NEGATIVE_INFINITY,
  open: { BATTERY: false, RSSI: false, DEVICE: false },
};

const NO_TURNS: readonly Turn[] = [];

/** The state with an episode opened or closed. */
export const withOpen = (state: AlertState, type: NotificationType, isOpen: boolean): AlertState => ({
  ...state,
  open: { ...state.open, [type]: isOpen },
});

function turnOf(type: "BATTERY" | "RSSI", isOpen: boolean, value: number | null): Turn | null {
  if (value === null) return null;
  const { beginsBelow, endsFrom } = LIMITS[type];
  if (!isOpen && value < beginsBelow) return { type, begins: true, value };
  return isOpen && value >= endsFrom ? { type, begins: false } : null;
}

/** Takes a message of a device. @param now ms since 1970 UTC */
export function hear(before: AlertState, heard: Heard, now: number): Judgement {
  const { open, judgedAt } = before;
  const isHeardAnew = before.heardAt === null || heard.heardAt > before.heardAt;
  // A device whose clock is ahead must not make all that follows look late.
  const at = Math.min(heard.at, now);
  const isLate = at <= judgedAt || at < now - LATE_MS;
  const turns: Turn[] = [];
  if (open.DEVICE && isHeardAnew) turns.push({ type: "DEVICE", begins: false });
  if (!isLate) {
    const battery = turnOf("BATTERY", open.BATTERY, heard.battery);
    if (battery) turns.push(battery);
    const rssi = turnOf("RSSI", open.RSSI, heard.rssi);
    if (rssi) turns.push(rssi);
  }
  let state: AlertState = {
    heardAt: isHeardAnew ? heard.heardAt : before.heardAt,
    judgedAt: isLate ? judgedAt : at,
    open,
  };
  for (const { type, begins } of turns) state = withOpen(state, type, begins);
  return { state, turns: turns.length === 0 ? NO_TURNS : turns };
}

/** Takes that a device has been silent for too long; nothing comes of it where it was never heard. */
export function fallSilent(before: AlertState): Judgement {
  if (before.heardAt === null || before.open.DEVICE) return { state: before, turns: NO_TURNS };
  return {
    state: withOpen(before, "DEVICE", true),
    turns: [{ type: "DEVICE", begins: true, value: before.heardAt }],
  };
}
