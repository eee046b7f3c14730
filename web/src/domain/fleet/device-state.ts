import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { FleetAccountValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { isLowBattery, isWeakSignal } from "@mulkko/shared/rules/device-health";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { type DrawnQuality, drawnQuality, type Quality, valueTime } from "@mulkko/shared/rules/quality";

/** States of a device, worst first. `never`: the device has never reported, so it has not got worse. */
export const FLEET_STATES = ["offline", "lost", "unknown", "late", "never", "fresh"] as const;
export type FleetState = (typeof FLEET_STATES)[number];

/** Problems that need someone on site. */
export const NEEDS = ["battery", "signal"] as const;
export type Need = (typeof NEEDS)[number];

type ReportedDevice = Pick<
  FleetDeviceValue,
  "kind" | "deviceType" | "quality" | "link" | "battery" | "rssi" | "heardAt" | "alarm"
>;

/** Return the name of a device; its id if nothing else is known. */
export const nameOf = ({ id, name, serial }: Pick<FleetDeviceValue, "id" | "name" | "serial">): string =>
  deviceName({ name, serial: serial ?? id });

export const stateOf = (quality: DrawnQuality | null): FleetState => quality ?? "never";

/**
 * Return the displayed and counted state of a device (ONL-2).
 *
 * @param links the best quality that the connections to the screen allow; omit it if the caller applies it
 */
export const deviceState = (
  device: Pick<FleetDeviceValue, "quality" | "link">,
  links: Quality = "fresh",
): FleetState => stateOf(drawnQuality(device, links));

/**
 * Return the time from which the age beside a device counts: its last contact, or of a late one the older of
 * contact and measurement (AGE-1).
 */
export const ageTime = (
  device: Pick<FleetDeviceValue, "quality" | "link" | "heardAt" | "at">,
): string | null =>
  deviceState(device) === "late"
    ? valueTime({ at: device.at ?? null, heardAt: device.heardAt })
    : device.heardAt;

/** Return the worst state among an account's devices. */
export const accountState = (
  { quality, lost = 0 }: Pick<FleetAccountValue, "quality" | "lost">,
  links: Quality,
): FleetState => deviceState({ quality, link: lost > 0 ? "lost" : null }, links);

/** Numbers of an account's devices by their own state; the rest of them is live. */
export interface AccountCounts {
  readonly devices: number;
  readonly offline: number;
  readonly lost?: number | undefined;
  readonly late: number;
  readonly unknown: number;
  readonly never?: number | undefined;
}

/** Return the same numbers over links: no device counts better than they allow (ONL-2). */
export function countsOver(
  counts: AccountCounts,
  links: Quality,
): Readonly<Record<keyof AccountCounts, number>> {
  const { devices, offline, lost = 0, late, unknown, never = 0 } = counts;
  switch (links) {
    case "fresh":
      return { devices, offline, lost, late, unknown, never };
    case "late":
      return { devices, offline, lost, late: devices - offline - lost - unknown - never, unknown, never };
    case "offline":
    case "unknown":
      return { devices, offline: 0, lost: 0, late: 0, unknown: devices - never, never };
  }
}

/** Return the needs of a device, as far as it reports them. */
export function needsOf({
  battery,
  rssi,
  deviceType,
}: Pick<ReportedDevice, "battery" | "rssi" | "deviceType">): Need[] {
  return NEEDS.filter((need) =>
    need === "battery" ? isLowBattery(battery, deviceType) : isWeakSignal(rssi, deviceType),
  );
}

/** Return true if a device went offline or came back since an instant, ms UTC. */
export const hasFlippedSince = ({ flip }: Pick<FleetDeviceValue, "flip">, since: number): boolean =>
  flip !== null && Date.parse(flip.at) >= since;

/** Return true for a device with valves; a COT sensor counts as a controller. */
export const isController = ({ kind, deviceType }: Pick<ReportedDevice, "kind" | "deviceType">): boolean =>
  kind === "controller" || deviceType === "COT";

/**
 * Return the priority of a device (ALM-1): that of its worst urgent alarm; 2 for a silent controller, 3 for a
 * silent sensor, a low battery or a weak signal.
 */
export function priorityOf(device: ReportedDevice): AlarmPriority | null {
  if (device.alarm === 1) return 1;
  const state = deviceState(device);
  const silent = state === "offline" || state === "lost";
  if (device.alarm === 2 || (silent && isController(device))) return 2;
  return silent || needsOf(device).length > 0 ? 3 : null;
}

/** Ranks below this one are urgent alarms: the length of a silence does not count. */
export const SILENT_FROM = 2;
/** Ranks from this one on are without problems: the length of their silence does not count. */
export const WELL_FROM = 7;

/**
 * Return the rank of a device on the board, worst first: P1, P2 (WARN-3), silent controllers, lost
 * connections, silent sensors, unknown, late, low battery or weak signal, never reported, no problem.
 */
export function rankOf(device: ReportedDevice): number {
  if (device.alarm) return device.alarm - 1;
  switch (deviceState(device)) {
    case "offline":
      return isController(device) ? 2 : 4;
    case "lost":
      return 3;
    case "unknown":
      return 5;
    case "late":
      return 6;
    case "never":
      return WELL_FROM + 1;
    case "fresh":
      return needsOf(device).length > 0 ? WELL_FROM : WELL_FROM + 2;
  }
}

/** Return true for a device with a problem: an urgent alarm, silent, unknown, or with a need. */
export function isAmiss(device: ReportedDevice): boolean {
  if (device.alarm) return true;
  const state = deviceState(device);
  return (state !== "fresh" && state !== "never") || needsOf(device).length > 0;
}
