import { controllerKey, sensorKey } from "@mulkko/shared/live/keys";
import type { StateValue } from "../ports/streams.ts";
import type { AccountWriter } from "../ports/writer.ts";

/** Which valves of an account were reported open last, and on which box. */
export interface OpenValves {
  /** @returns the box whose valve has opened or closed, undefined if none has */
  changed(key: string, fields: StateValue | undefined): string | undefined;
  /** True while a valve of the box is open. */
  on(deviceKey: string): boolean;
  readonly any: boolean;
}

export function createOpenValves(writer: Pick<AccountWriter, "get">): OpenValves {
  /** Channel key → the box that it sits in. */
  const open = new Map<string, string>();
  /** Waterings that are known to run, also before a channel was read after a restart. */
  const running = new Set<string>();

  const channelChanged = (key: string): string | undefined => {
    const value = writer.get(key);
    const known = open.get(key);
    // 0 is "not known": what was said last stands.
    if (value?.onoff === 1) {
      const id = String(value.controllerId);
      const device = writer.get(controllerKey(id)) ? controllerKey(id) : sensorKey(id);
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
        const watering = writer.get(key);
        if (watering !== undefined && watering.end === null) running.add(key);
        else running.delete(key);
      } else if (key.startsWith("channel:") && (fields === undefined || "onoff" in fields)) {
        return channelChanged(key);
      }
      return undefined;
    },
    on: (deviceKey) => [...open.values()].includes(deviceKey),
    get any() {
      return open.size > 0 || running.size > 0;
    },
  };
}
