import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { useLinkQuality } from "../../live/hooks.ts";
import { deviceState, type FleetState, type Need, nameOf, needsOf, priorityOf } from "./device-state.ts";
import { useFleetDevice } from "./hooks.ts";

/** Device as shown in a row: no better than the links allow (ONL-2). */
export interface ShownDevice {
  readonly device: FleetDeviceValue;
  readonly name: string;
  readonly state: FleetState;
  readonly alarm: AlarmPriority | null;
  readonly needs: readonly Need[];
}

/** Return one device, kept up to date; undefined after its deletion. */
export function useShownDevice(key: string): ShownDevice | undefined {
  const device = useFleetDevice(key);
  const links = useLinkQuality();
  if (!device) return undefined;
  return {
    device,
    name: nameOf(device),
    state: deviceState(device, links),
    alarm: priorityOf(device),
    needs: needsOf(device),
  };
}
