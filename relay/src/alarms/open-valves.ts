import { controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import type { AccountValues } from "../account/farm-index.ts";
import type { StateValue } from "../store/streams.ts";

/** The valves of an account that were last reported open, and their controllers. */
export interface OpenValves {
  /**
   * Apply a change.
   * @returns the controller whose valve opened or closed, undefined if none did
   */
  changed(key: string, fields: StateValue | undefined): string | undefined;
  /** Return true while a valve of the controller is open. */
  on(deviceKey: string): boolean;
  /** Return the keys of the controller's open channels, in their order. */
  channelsOn(deviceKey: string): string[];
  readonly any: boolean;
}

export function createOpenValves(state: Pick<AccountValues, "get">): OpenValves {
  /** Channel key → its controller. */
  const open = new Map<string, string>();
  /** Running waterings, also known before a channel was read after a restart. */
  const running = new Set<string>();

  const channelChanged = (key: string): string | undefined => {
    const value = state.get(key);
    const known = open.get(key);
    // 0 means "unknown": the last report still counts.
    if (value?.onoff === 1) {
      const id = String(value.controllerId);
      const device = state.get(controllerKey(id)) ? controllerKey(id) : sensorKey(id);
      open.set(key, device);
      return known === device ? undefined : device;
    }
    if (known !== undefined && (value === undefined || value.onoff === 2)) {
      open.delete(key);
      return known;
    }
    return undefined;
  };
  return {
    changed(key, fields) {
      if (key.startsWith("watering:")) {
        const watering = state.get(key);
        if (watering !== undefined && watering.end === null) running.add(key);
        else running.delete(key);
      } else if (key.startsWith("channel:") && (fields === undefined || "onoff" in fields)) {
        return channelChanged(key);
      }
      return undefined;
    },
    on: (deviceKey) => [...open.values()].includes(deviceKey),
    channelsOn: (deviceKey) =>
      [...open].flatMap(([channel, device]) => (device === deviceKey ? [channel] : [])).sort(),
    get any() {
      return open.size > 0 || running.size > 0;
    },
  };
}
