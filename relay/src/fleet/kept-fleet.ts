import { FleetDeviceValue, FleetListValue } from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY } from "@mulkko/shared/live/fleet-keys";
import { parse } from "@mulkko/shared/schema/parse";
import type { DeviceStream, StateValue } from "../ports/streams.ts";

/** What the owner before left of the fleet. */
export interface KeptFleet {
  readonly values: ReadonlyMap<string, StateValue>;
  readonly devices: ReadonlyMap<string, FleetDeviceValue>;
  readonly list: FleetListValue | undefined;
}

/** ms since the fleet was listed after which what is kept of it is too old to go on from. */
const KEPT_WITHIN_MS = 600_000;

/**
 * What another owner left, if it is from just now and this version knows it. What nobody on this node has heard
 * from its account's owner yet, commands and sums, is left out: their owners say it again.
 *
 * @param listedAgo ms since the fleet was listed
 */
export function keptFleet(stream: DeviceStream, listedAgo: number): KeptFleet | null {
  if (listedAgo > KEPT_WITHIN_MS) return null;
  const caught = stream.changesSince(undefined);
  if (caught.kind !== "snapshot") return null;
  const devices = new Map<string, FleetDeviceValue>();
  for (const [key, value] of Object.entries(caught.state)) {
    if (!key.startsWith("device:")) continue;
    const device = parse(FleetDeviceValue, value);
    if (!device.ok) return null;
    devices.set(key, device.value);
  }
  if (devices.size === 0) return null;
  const list = parse(FleetListValue, caught.state[FLEET_LIST_KEY]);
  return { values: new Map(Object.entries(caught.state)), devices, list: list.ok ? list.value : undefined };
}
