import type { Controller } from "@mulkko/shared/entities/controller";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import { channelIdOf, channelKey, controllerKey, farmKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import type { AccountState } from "./account-state.ts";
import {
  controllerChannels,
  controllerInfo,
  cotChannels,
  type FarmRow,
  farmValue,
  type ListedChannel,
  sensorInfo,
  silentChannel,
  silentController,
  silentSensor,
} from "./normalise-lists.ts";
import type { PresenceWatch } from "./presence-watch.ts";
import type { StoredAccountState } from "./stored-account-state.ts";

/**
 * The devices of an account according to its lists. A device removed from the lists is removed from the
 * stream (AUTH-3).
 */
export interface DeviceIndex {
  /** Continue the previous owner's index from the stream. */
  resume(stored: StoredAccountState): void;
  sensors(list: readonly Sensor[]): void;
  farms(list: readonly FarmRow[]): void;
  controllers(list: readonly Controller[]): void;
  /** True if any key has the prefix. */
  has(prefix: "sensor:" | "controller:" | "farm:"): boolean;
  sensorType(sensorId: string): string | undefined;
  sensorIds(): Iterable<string>;
  readonly channels: ReadonlyMap<string, ListedChannel>;
  channelsOf(deviceKey: string): readonly string[];
  /** Return the keys of all sensors, and of all controllers with channels. */
  deviceKeys(): ReadonlySet<string>;
}

export interface DeviceIndexDeps {
  readonly state: AccountState;
  readonly watch: PresenceWatch;
  /** Return a channel's own name (NAME-1). */
  readonly nameOf: (channelId: string) => string | null;
}

export function createDeviceIndex(deps: DeviceIndexDeps): DeviceIndex {
  const { state, watch } = deps;
  const types = new Map<string, string>();
  const channels = new Map<string, ListedChannel>();
  const byDevice = new Map<string, string[]>();

  const remove = (key: string): void => {
    state.del(key);
    watch.forget(key);
    state.emit("deviceGone", key);
  };
  const removeMissing = (prefix: string, present: ReadonlySet<string>): boolean => {
    const gone = [...state.keys()].filter((key) => key.startsWith(prefix) && !present.has(key));
    for (const key of gone) remove(key);
    return gone.length > 0;
  };
  const indexChannels = (): void => {
    byDevice.clear();
    for (const channel of channels.values()) {
      byDevice.set(channel.deviceKey, [...(byDevice.get(channel.deviceKey) ?? []), channel.key]);
    }
  };
  /** Replace the channels of one kind; return true if the set has changed. */
  const place = (kind: ListedChannel["kind"], listed: readonly ListedChannel[]): boolean => {
    const present = new Set(listed.map((channel) => channel.key));
    let changed = false;
    for (const [key, channel] of channels) {
      if (channel.kind !== kind || present.has(key)) continue;
      channels.delete(key);
      remove(key);
      changed = true;
    }
    for (const channel of listed) {
      changed ||= !channels.has(channel.key);
      channels.set(channel.key, channel);
      const name = deps.nameOf(channelIdOf(channel.key));
      if (state.get(channel.key)) state.patch(channel.key, { ...channel.place, name });
      else {
        const quality = watch.quality(channel.deviceKey);
        const link = state.get(channel.deviceKey)?.link ?? null;
        state.set(channel.key, { ...silentChannel(channel.place), name, quality, link });
      }
    }
    indexChannels();
    return changed;
  };

  state.on("settingsChanged", (channelId) => {
    if (channelId === null) return;
    const key = channelKey(channelId);
    if (state.get(key)) state.patch(key, { name: deps.nameOf(channelId) });
  });

  return {
    resume(kept) {
      for (const channel of kept.channels) channels.set(channel.key, channel);
      indexChannels();
      for (const { id, deviceType } of kept.sensors) types.set(id, deviceType);
      for (const { key, ...shown } of kept.devices) watch.watch(key, shown);
    },
    sensors(list) {
      let changed = removeMissing("sensor:", new Set(list.map((sensor) => sensorKey(sensor.id))));
      types.clear();
      for (const sensor of list) {
        const key = sensorKey(sensor.id);
        types.set(String(sensor.id), sensor.deviceType);
        if (state.get(key)) state.patch(key, { info: sensorInfo(sensor) });
        else {
          changed = true;
          watch.watch(key);
          state.set(key, { ...silentSensor(sensor) });
        }
      }
      if (place("cot", list.flatMap(cotChannels)) || changed) state.emit("devicesChanged");
    },
    farms(list) {
      removeMissing("farm:", new Set(list.map((farm) => farmKey(farm.id))));
      for (const farm of list) state.set(farmKey(farm.id), { ...farmValue(farm) });
    },
    controllers(list) {
      removeMissing("controller:", new Set(list.map((controller) => controllerKey(controller.id))));
      for (const controller of list) {
        const key = controllerKey(controller.id);
        if (state.get(key)) state.patch(key, { info: controllerInfo(controller) });
        else {
          watch.watch(key);
          state.set(key, { ...silentController(controller) });
        }
      }
      if (place("controller", list.flatMap(controllerChannels))) state.emit("devicesChanged");
    },
    has: (prefix) => [...state.keys()].some((key) => key.startsWith(prefix)),
    sensorType: (sensorId) => types.get(sensorId),
    sensorIds: () => types.keys(),
    channels,
    channelsOf: (deviceKey) => byDevice.get(deviceKey) ?? [],
    deviceKeys: () => new Set([...types.keys()].map(sensorKey).concat(...byDevice.keys())),
  };
}
