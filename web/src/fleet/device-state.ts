import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { isLowBattery, isWeakSignal } from "@mulkko/shared/rules/device-health";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { Quality } from "@mulkko/shared/rules/quality";

/** How a device is doing, the worst first; `never` was never heard, so that nothing of it can have got worse. */
export const FLEET_STATES = ["offline", "unknown", "late", "never", "fresh"] as const;
export type FleetState = (typeof FLEET_STATES)[number];

/** What somebody has to go out for. */
export const NEEDS = ["battery", "signal"] as const;
export type Need = (typeof NEEDS)[number];

type Told = Pick<FleetDeviceValue, "kind" | "deviceType" | "quality" | "battery" | "rssi" | "heardAt">;

/** What a device is called; one of which nothing is known has its id. */
export const nameOf = ({ id, name, serial }: Pick<FleetDeviceValue, "id" | "name" | "serial">): string =>
  deviceName({ name, serial: serial ?? id });

export const stateOf = (quality: Quality | null): FleetState => quality ?? "never";

/** What a device wants, as far as it has said. */
export function needsOf({ battery, rssi }: Pick<Told, "battery" | "rssi">): Need[] {
  return NEEDS.filter((need) => (need === "battery" ? isLowBattery(battery) : isWeakSignal(rssi)));
}

/** Whether a device went offline or came back since an instant, ms UTC. */
export const hasFlippedSince = ({ flip }: Pick<FleetDeviceValue, "flip">, since: number): boolean =>
  flip !== null && Date.parse(flip.at) >= since;

/** True for what has valves; a sensor of type COT is a controller to a person. */
export const isController = ({ kind, deviceType }: Pick<Told, "kind" | "deviceType">): boolean =>
  kind === "controller" || deviceType === "COT";

/** How urgent a device is (ALM-1): 2 for a controller that is silent, 3 for a sensor, a battery or a signal. */
export function priorityOf(device: Told): AlarmPriority | null {
  if (device.quality === "offline") return isController(device) ? 2 : 3;
  return needsOf(device).length > 0 ? 3 : null;
}

/**
 * Where a device stands on a board that has the worst first: silent controllers, silent sensors, what nobody can tell
 * of, late ones, those with a low battery or a weak signal, those never heard, and all that are well.
 */
export function rankOf(device: Told): number {
  switch (stateOf(device.quality)) {
    case "offline":
      return isController(device) ? 0 : 1;
    case "unknown":
      return 2;
    case "late":
      return 3;
    case "never":
      return 5;
    case "fresh":
      return needsOf(device).length > 0 ? 4 : 6;
  }
}

/** True for a device that somebody should look at: silent, in doubt, or in want of something. */
export function isAmiss(device: Told): boolean {
  const state = stateOf(device.quality);
  return (state !== "fresh" && state !== "never") || needsOf(device).length > 0;
}
