import { FleetDeviceValue, FleetListValue } from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY } from "@mulkko/shared/live/fleet-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { type DeviceStream, type StateValue, stateOf } from "../store/streams.ts";

/** The fleet's state as the previous owner left it. */
export interface StoredFleet {
  readonly values: ReadonlyMap<string, StateValue>;
  readonly devices: ReadonlyMap<string, FleetDeviceValue>;
  readonly list: FleetListValue | undefined;
}

/** ms since the last list after which the stored state is too old to continue from. */
export const KEPT_WITHIN_MS = 600_000;

/**
 * Return the previous owner's state if it is recent and in a known format. Commands and sums are left out:
 * their accounts' owners report them again.
 *
 * @param listedAgo ms since the fleet was listed
 */
export function storedFleet(stream: DeviceStream, listedAgo: number): StoredFleet | null {
  if (listedAgo > KEPT_WITHIN_MS) return null;
  const state = stateOf(stream);
  const devices = new Map<string, FleetDeviceValue>();
  for (const [key, value] of Object.entries(state)) {
    if (!key.startsWith("device:")) continue;
    const device = parse(FleetDeviceValue, value);
    if (!device.ok) return null;
    devices.set(key, device.value);
  }
  if (devices.size === 0) return null;
  const list = parse(FleetListValue, state[FLEET_LIST_KEY]);
  return { values: new Map(Object.entries(state)), devices, list: list.ok ? list.value : undefined };
}
