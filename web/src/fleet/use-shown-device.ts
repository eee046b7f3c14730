import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { useShownQuality } from "../live/hooks.ts";
import { type FleetState, type Need, nameOf, needsOf, priorityOf, stateOf } from "./device-state.ts";
import { useFleetDevice } from "./hooks.ts";

/** A device as a row shows it: no better than the links allow (ONL-2). */
export interface ShownDevice {
  readonly device: FleetDeviceValue;
  readonly name: string;
  readonly state: FleetState;
  readonly alarm: AlarmPriority | null;
  readonly needs: readonly Need[];
}

/** One device, followed; undefined once it is gone. */
export function useShownDevice(key: string): ShownDevice | undefined {
  const device = useFleetDevice(key);
  const quality = useShownQuality(device?.quality ?? null);
  if (!device) return undefined;
  return {
    device,
    name: nameOf(device),
    state: stateOf(quality),
    alarm: priorityOf(device),
    needs: needsOf(device),
  };
}
