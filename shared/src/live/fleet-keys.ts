const CONTROLLER = "controller-";

/**
 * Return a device's key. Where an API numbers its devices, a sensor and a controller may share a number, so a
 * controller's key names its kind.
 */
export function fleetDeviceKey(kind: "sensor" | "controller", id: string | number): string {
  return kind === "controller" && /^\d+$/.test(String(id)) ? `device:${CONTROLLER}${id}` : `device:${id}`;
}

/** The key of the list's own state. */
export const FLEET_LIST_KEY = "fleet:list";
export const fleetAccountKey = (id: string | number): string => `account:${id}`;
export const fleetCommandKey = (id: string): string => `command:${id}`;
export const fleetAlarmKey = (account: string | number, alarmId: string): string =>
  `alarm:${account}:${alarmId}`;
