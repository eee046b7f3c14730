import { ChannelValue, ControllerValue, FarmValue } from "@mulkko/shared/live/devices";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { type FarmFacts, type FarmIndex, indexFarms } from "@mulkko/shared/rules/farm-of";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { StateValue } from "../store/streams.ts";

/** An account's state, by key. */
export type FarmState = Readonly<Record<string, StateValue>>;

const Channel = Type.Pick(ChannelValue, ["controllerId", "sensorIds"]);
const Controller = Type.Object({ info: Type.Pick(ControllerValue.properties.info, ["clusterId"]) });

/** An account's state, as its writer stores it. */
export interface AccountValues {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
}

/** Iterate over the keys and values of an account's state. */
export function* entriesOf(state: AccountValues): Iterable<readonly [string, StateValue | undefined]> {
  for (const key of state.keys()) yield [key, state.get(key)];
}

type Entry<Items> = Items extends Iterable<infer Item> ? Item : never;

/** Build the index of devices by farm from an account's keys and values (FARM-1). */
export function farmIndexOf(
  state: Iterable<readonly [key: string, value: StateValue | undefined]>,
): FarmIndex {
  const farms: Entry<FarmFacts["farms"]>[] = [];
  const controllers: Entry<FarmFacts["controllers"]>[] = [];
  const channels: Entry<FarmFacts["channels"]>[] = [];
  for (const [key, value] of state) {
    const colon = key.indexOf(":");
    const id = key.slice(colon + 1);
    const kind = parseDeviceKey(key)?.kind;
    if (kind === "farm") {
      const farm = parse(FarmValue, value);
      if (farm.ok) farms.push([id, farm.value.info.sensorIds]);
    } else if (kind === "controller") {
      const controller = parse(Controller, value);
      controllers.push([id, controller.ok ? controller.value.info.clusterId : null]);
    } else if (kind === "channel") {
      const channel = parse(Channel, value);
      if (channel.ok) channels.push([id, channel.value]);
    }
  }
  return indexFarms({ farms, controllers, channels });
}

/** Return the keys of all channels of an account, in order. */
export function allChannels(state: AccountValues): string[] {
  return [...state.keys()].filter((key) => key.startsWith("channel:")).sort();
}

/** Return the keys of the channels of a farm, in order; null for a farm that the account does not have. */
export function channelsOfFarm(state: AccountValues, farmId: string): string[] | null {
  if (state.get(`farm:${farmId}`) === undefined) return null;
  const farms = farmIndexOf(entriesOf(state));
  return allChannels(state).filter((key) => farms.of(key).includes(farmId));
}
