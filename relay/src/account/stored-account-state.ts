import { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { parseDeviceKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { type DeviceStream, type StateValue, stateOf } from "../store/streams.ts";
import type { ListedChannel } from "./normalise-lists.ts";
import type { ShownPresence } from "./presence-watch.ts";

type StoredDevice = ShownPresence & { readonly key: string };

/** The previous owner's state of an account, sufficient to continue without any poll (NODE-5). */
export interface StoredAccountState {
  readonly values: ReadonlyMap<string, StateValue>;
  readonly sensors: readonly { readonly id: string; readonly deviceType: string }[];
  readonly channels: readonly ListedChannel[];
  readonly devices: readonly StoredDevice[];
}

const instantOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/**
 * Read an account's stream as the previous owner left it. Null if it is empty or unknown to this version:
 * the account is then read from the farm API in a new epoch.
 */
function storedAccountOf(state: Readonly<Record<string, StateValue>>): StoredAccountState | null {
  const sensors: { id: string; deviceType: string }[] = [];
  const channels: ListedChannel[] = [];
  const devices: StoredDevice[] = [];
  for (const [key, value] of Object.entries(state)) {
    const named = parseDeviceKey(key);
    if (named === null) return null;
    if (named.kind === "sensor") {
      const sensor = parse(SensorValue, value);
      if (!sensor.ok) return null;
      const { info, quality, heardAt, at } = sensor.value;
      sensors.push({ id: named.id, deviceType: info.deviceType });
      // A COT sensor's channels confirm their state without a new reading.
      const measuredAt = info.deviceType === "COT" ? null : instantOf(at);
      devices.push({ key, offline: quality === "offline", heardAt: instantOf(heardAt), measuredAt });
    } else if (named.kind === "controller") {
      const controller = parse(ControllerValue, value);
      if (!controller.ok) return null;
      const { quality, heardAt } = controller.value;
      devices.push({ key, offline: quality === "offline", heardAt: instantOf(heardAt) });
    } else if (named.kind === "channel") {
      const channel = parse(ChannelValue, value);
      if (!channel.ok) return null;
      channels.push(listedOf(key, named, channel.value));
    }
  }
  return sensors.length === 0 ? null : { values: new Map(Object.entries(state)), sensors, channels, devices };
}

function listedOf(
  key: string,
  { id, number: ofCot }: { id: string; number?: number },
  { controllerId, serial, number, sensorIds }: ChannelValue,
): ListedChannel {
  const isCot = ofCot !== undefined;
  return {
    key,
    place: { controllerId, serial, number, sensorIds },
    apiId: isCot ? number : id,
    deviceKey: isCot ? sensorKey(controllerId) : `controller:${controllerId}`,
    kind: isCot ? "cot" : "controller",
  };
}

/** Maximum age of an account's list polls for its stored state to be usable, ms. */
const TAKEN_OVER_WITHIN_MS = 600_000;

/**
 * Return another owner's state if it is recent.
 *
 * @param listsAskedAgo ms since its lists were polled
 */
export function recentState(devices: DeviceStream, listsAskedAgo: number): StoredAccountState | null {
  if (listsAskedAgo > TAKEN_OVER_WITHIN_MS) return null;
  return storedAccountOf(stateOf(devices));
}
