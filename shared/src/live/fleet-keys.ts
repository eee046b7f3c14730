const CONTROLLER = "controller-";

/**
 * A device's key. Sensors and controllers of an API that numbers them may share a number: a controller's then says
 * what it is.
 */
export function fleetDeviceKey(kind: "sensor" | "controller", id: string | number): string {
  return kind === "controller" && /^\d+$/.test(String(id)) ? `device:${CONTROLLER}${id}` : `device:${id}`;
}

/** The key of what is known of the list itself. */
export const FLEET_LIST_KEY = "fleet:list";
export const fleetAccountKey = (id: string | number): string => `account:${id}`;
export const fleetCommandKey = (id: string): string => `command:${id}`;
