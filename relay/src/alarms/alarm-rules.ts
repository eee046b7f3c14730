import type { Modes } from "@mulkko/shared/entities/modes";
import type { AlarmPriority, AlarmType } from "@mulkko/shared/live/alarm";
import type { Watering } from "@mulkko/shared/live/watering";

/**
 * Hysteresis in points: the alarm is raised this far beyond a bound of the automatic mode and cleared within
 * the bounds.
 */
export const BOUNDS_MARGIN = 3;
/** Shortest watering that is expected to raise the soil moisture, ms. */
export const SHOWS_AFTER_MS = 5 * 60_000;
/** Rise of the soil moisture, in points, that is expected after a watering. */
export const RISE_AT_LEAST = 1;

/** Alarm types for a silent device, one at a time: without valves, with valves, and while water runs. */
export const SILENT_TYPES = ["offline", "controller-offline", "controller-offline-watering"] as const;

/** Return the alarm type that applies to a silent device now. */
export function silentType(device: { controls: boolean; open: boolean }): (typeof SILENT_TYPES)[number] {
  if (!device.controls) return "offline";
  return device.open ? "controller-offline-watering" : "controller-offline";
}

/** Return P1 while water runs, P2 for a controller, P3 for a sensor (ALM-1). */
export function offlinePriority(device: { controls: boolean; open: boolean }): AlarmPriority {
  if (device.open) return 1;
  return device.controls ? 2 : 3;
}

/**
 * True if the soil moisture is outside the bounds of the active automatic mode. Between the bound and the
 * margin the previous state stays, because the mode itself lets the moisture reach its bounds.
 *
 * @param moisture %, null: unknown
 * @returns null when the moisture or the bounds do not decide
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
 * True if a finished watering raised the soil moisture.
 *
 * @param upperBound of the automatic mode; soil that was already above it need not become wetter
 * @returns null when the measurements do not decide or no rise was expected
 */
export function madeWetter(watering: Watering, upperBound: number | null): boolean | null {
  const { start, end, endReason, moistureBefore: before, moistureAfter: after } = watering;
  if (end === null || endReason === "lost" || before === null || after === null) return null;
  if (after - before >= RISE_AT_LEAST) return true;
  if (Date.parse(end) - Date.parse(start) < SHOWS_AFTER_MS) return null;
  return upperBound !== null && before >= upperBound ? null : false;
}

/** Return the alarm type of a notification type; an unknown type is a notice. */
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
