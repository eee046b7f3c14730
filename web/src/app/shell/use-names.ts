import { parseDeviceKey } from "@mulkko/shared/live/keys";
import { useCallback } from "react";
import { deviceName } from "../../farm/device-name.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

const KINDS = ["sensor", "controller", "channel"] as const;

/** Where a thing is shown, and what it is called; null where it is gone. */
export interface Named {
  readonly name: string;
  readonly to: string;
}

/** Finds the names of things that events speak of. */
export interface Names {
  /** By a key of the stream: `sensor:…`, `controller:…`. */
  ofKey(key: string): Named | null;
  /** A controller or a COT sensor. */
  ofBox(id: string | number): Named | null;
  ofChannel(id: string | number): (Named & { number: number }) | null;
}

const logOf = (id: string) => `/sensors/type?id=${encodeURIComponent(id)}`;
const panelOf = (id: string) => `/sensors/cot/detail?cotId=${encodeURIComponent(id)}`;

function namesIn(farm: LiveFarm): Names {
  const ofBox: Names["ofBox"] = (id) => {
    const box = farm.controllers.get(`${id}`) ?? farm.sensors.get(`${id}`);
    return box ? { name: deviceName(box.info), to: panelOf(`${id}`) } : null;
  };
  return {
    ofBox,
    ofKey(key) {
      const parts = parseDeviceKey(key);
      if (parts?.kind === "controller") return ofBox(parts.id);
      const sensor = parts?.kind === "sensor" ? farm.sensors.get(parts.id) : undefined;
      if (!parts || !sensor) return null;
      const to = sensor.info.deviceType === "COT" ? panelOf(parts.id) : logOf(parts.id);
      return { name: deviceName(sensor.info), to };
    },
    ofChannel(id) {
      const channel = farm.channels.get(`${id}`);
      const box = channel && ofBox(channel.controllerId);
      return box ? { ...box, number: channel.number } : null;
    },
  };
}

/** The names as they are when the list is drawn; a renamed device is followed with the next reading. */
export function useNames(): Names {
  return useLiveSelection(
    KINDS,
    useCallback((farm: LiveFarm) => namesIn(farm), []),
  );
}
