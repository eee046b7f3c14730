import { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { parseDeviceKey, sensorKey } from "@mulkko/shared/live/keys";
import { parse } from "@mulkko/shared/schema/parse";
import type { ListedChannel } from "../core/normalise-lists.ts";
import type { DeviceStream, StateValue } from "../ports/streams.ts";

/** What the owner before left of an account: enough to go on without asking anything anew (NODE-5). */
export interface KeptAccount {
  readonly values: ReadonlyMap<string, StateValue>;
  readonly sensors: readonly { readonly id: string; readonly deviceType: string }[];
  readonly channels: readonly ListedChannel[];
  readonly devices: readonly {
    readonly key: string;
    readonly offline: boolean;
    /** ms UTC */
    readonly heardAt: number | null;
  }[];
}

const instantOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/**
 * Reads an account's stream as the owner before left it. Null where there is nothing, or something that this
 * version does not know: then the account is read from the farm API anew, in a new epoch.
 */
function keptAccountOf(state: Readonly<Record<string, StateValue>>): KeptAccount | null {
  const sensors: { id: string; deviceType: string }[] = [];
  const channels: ListedChannel[] = [];
  const devices: { key: string; offline: boolean; heardAt: number | null }[] = [];
  for (const [key, value] of Object.entries(state)) {
    const named = parseDeviceKey(key);
    if (named === null) return null;
    if (named.kind === "sensor") {
      const sensor = parse(SensorValue, value);
      if (!sensor.ok) return null;
      const { info, quality, heardAt } = sensor.value;
      sensors.push({ id: named.id, deviceType: info.deviceType });
      devices.push({ key, offline: quality === "offline", heardAt: instantOf(heardAt) });
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

/** ms since an account's lists were asked after which what is kept of it is too old to go on from. */
const TAKEN_OVER_WITHIN_MS = 600_000;

/**
 * What another owner left, if it is from just now.
 *
 * @param listsAskedAgo ms since its lists were asked
 */
export function takenOver(devices: DeviceStream, listsAskedAgo: number): KeptAccount | null {
  if (listsAskedAgo > TAKEN_OVER_WITHIN_MS) return null;
  const caught = devices.changesSince(undefined);
  return caught.kind === "snapshot" ? keptAccountOf(caught.state) : null;
}
