import type { AlarmPriority, AlarmType } from "@mulkko/shared/live/alarm";
import type { Modes } from "@mulkko/shared/live/devices";
import type { Watering } from "@mulkko/shared/live/watering";
import { DEVICE_HEALTH } from "@mulkko/shared/rules/device-health";

/** Points beyond a bound of the automatic mode from which it is an alarm; within the bounds it is none again. */
export const BOUNDS_MARGIN = 3;
/** A watering shorter than this need not show in the soil, ms. */
export const SHOWS_AFTER_MS = 5 * 60_000;
/** Points by which the soil has to be wetter after a watering. */
export const RISE_AT_LEAST = 1;

/** A battery (%) or signal (dBm) that is well again, whatever a notification said before. */
export const WELL_FROM = {
  battery: DEVICE_HEALTH.battery.wellFrom,
  rssi: DEVICE_HEALTH.signal.wellFrom,
} as const;

/** The alarms of a device's silence, of which it has one at a time: without valves, with valves, while water runs. */
export const SILENT_TYPES = ["offline", "controller-offline", "controller-offline-watering"] as const;

/** The one of them that a device's silence is now. */
export function silentType(device: { controls: boolean; open: boolean }): (typeof SILENT_TYPES)[number] {
  if (!device.controls) return "offline";
  return device.open ? "controller-offline-watering" : "controller-offline";
}

/** P1 while water runs, P2 for a controller, P3 for a sensor (ALM-1). */
export function offlinePriority(device: { controls: boolean; open: boolean }): AlarmPriority {
  if (device.open) return 1;
  return device.controls ? 2 : 3;
}

/**
 * Whether the soil is outside the bounds of the automatic mode in charge. Between the bound and the margin it stays
 * what it was; the mode itself lets the soil touch its bounds.
 *
 * @param moisture %, null: not known, which says nothing
 * @returns null where nothing can be said
 */
export function isOutOfBounds(modes: Modes | null, moisture: number | null): boolean | null {
  const bounds = modes?.active === "automatic" ? modes.automatic : null;
  if (!bounds) return modes === null ? null : false;
  if (moisture === null) return null;
  const { lowerBound, upperBound } = bounds;
  const below = lowerBound === null ? 0 : lowerBound - moisture;
  const above = upperBound === null ? 0 : moisture - upperBound;
  const beyond = Math.max(below, above);
  if (beyond > BOUNDS_MARGIN) return true;
  return beyond <= 0 ? false : null;
}

/**
 * Whether a watering that is over made the soil wetter; null where that cannot be told, or was not to be expected.
 *
 * @param upperBound of the automatic mode; soil that was above it already need not rise
 */
export function madeWetter(watering: Watering, upperBound: number | null): boolean | null {
  const { start, end, endReason, moistureBefore: before, moistureAfter: after } = watering;
  if (end === null || endReason === "lost" || before === null || after === null) return null;
  if (after - before >= RISE_AT_LEAST) return true;
  if (Date.parse(end) - Date.parse(start) < SHOWS_AFTER_MS) return null;
  return upperBound !== null && before >= upperBound ? null : false;
}

/** The alarm that a notification's type stands for; one that nobody knows is a notice. */
export function notificationAlarm(type: string): AlarmType {
  switch (type) {
    case "BATTERY":
      return "battery";
    case "RSSI":
      return "rssi";
    case "DEVICE":
      return "device";
    default:
      return "notice";
  }
}

/** A device as a sentence may name it. */
export interface NameOfDevice {
  readonly key: string;
  readonly name: string | null;
  readonly serial: string;
}

/**
 * The device that a notification speaks of: it names none by its id, so that its words have to do. A name at the
 * beginning before a colon counts first, then a serial as a word of its own, then a name anywhere; the longest wins.
 *
 * @returns the device's key; null where no device, or more than one, fits
 */
export function deviceNamedIn(message: string, devices: Iterable<NameOfDevice>): string | null {
  let best: { rank: number; keys: string[] } = { rank: 0, keys: [] };
  for (const { key, name, serial } of devices) {
    const rank = Math.max(nameRank(message, name), serialRank(message, serial));
    if (rank === 0 || rank < best.rank) continue;
    best = { rank, keys: rank > best.rank ? [key] : [...best.keys, key] };
  }
  return best.keys.length === 1 ? (best.keys[0] ?? null) : null;
}

const AT_THE_BEGINNING = 3_000;
const AS_A_SERIAL = 2_000;
const ANYWHERE = 1;

function nameRank(message: string, name: string | null): number {
  if (name === null || name.trim() === "") return 0;
  if (message.startsWith(name) && /^\s*[:：]/.test(message.slice(name.length))) {
    return AT_THE_BEGINNING + name.length;
  }
  return message.includes(name) ? ANYWHERE + name.length : 0;
}

function serialRank(message: string, serial: string): number {
  const digits: readonly string[] = message.match(/\d+/g) ?? [];
  return serial !== "" && digits.includes(serial) ? AS_A_SERIAL : 0;
}
