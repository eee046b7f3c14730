import type { Controller } from "@mulkko/shared/entities/controller";
import type { Farm } from "@mulkko/shared/entities/farm";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import { channelIdOf, controllerKey, farmKey, sensorKey } from "@mulkko/shared/live/keys";
import {
  controllerChannels,
  controllerInfo,
  cotChannels,
  farmValue,
  type ListedChannel,
  sensorInfo,
  silentChannel,
  silentController,
  silentSensor,
} from "../core/normalise-lists.ts";
import type { AccountWriter } from "../ports/writer.ts";
import type { KeptAccount } from "./kept-account.ts";
import type { PresenceWatch } from "./presence-watch.ts";

/** What an account has, by its own lists: what is gone from them is gone from the stream (AUTH-3). */
export interface Directory {
  /** Begins where the owner before left off, by what the stream holds. */
  resume(kept: KeptAccount): void;
  sensors(list: readonly Sensor[]): void;
  farms(list: readonly Farm[]): void;
  controllers(list: readonly Controller[]): void;
  sensorType(sensorId: string): string | undefined;
  sensorIds(): Iterable<string>;
  readonly channels: ReadonlyMap<string, ListedChannel>;
  channelsOf(deviceKey: string): readonly string[];
}

export interface DirectoryParts {
  readonly writer: AccountWriter;
  readonly watch: PresenceWatch;
  /** A channel's own name (NAME-1). */
  readonly nameOf: (channelId: string) => string | null;
  /** A device or channel is gone. */
  readonly onGone: (key: string) => void;
  /** The set of sensors or channels is another. */
  readonly onChanged: () => void;
}

export function createDirectory(parts: DirectoryParts): Directory {
  const { writer, watch } = parts;
  const types = new Map<string, string>();
  const channels = new Map<string, ListedChannel>();
  const byDevice = new Map<string, string[]>();

  const remove = (key: string): void => {
    writer.del(key);
    watch.forget(key);
    parts.onGone(key);
  };
  const removeMissing = (prefix: string, present: ReadonlySet<string>): boolean => {
    const gone = [...writer.keys()].filter((key) => key.startsWith(prefix) && !present.has(key));
    for (const key of gone) remove(key);
    return gone.length > 0;
  };
  const indexChannels = (): void => {
    byDevice.clear();
    for (const channel of channels.values()) {
      byDevice.set(channel.deviceKey, [...(byDevice.get(channel.deviceKey) ?? []), channel.key]);
    }
  };
  /** Replaces the channels of one kind; returns true if there are others than before. */
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
      const name = parts.nameOf(channelIdOf(channel.key));
      if (writer.get(channel.key)) writer.patch(channel.key, { ...channel.place, name });
      else {
        const quality = watch.quality(channel.deviceKey);
        const link = writer.get(channel.deviceKey)?.link ?? null;
        writer.set(channel.key, { ...silentChannel(channel.place), name, quality, link });
      }
    }
    indexChannels();
    return changed;
  };

  return {
    resume(kept) {
      for (const channel of kept.channels) channels.set(channel.key, channel);
      indexChannels();
      for (const { id, deviceType } of kept.sensors) types.set(id, deviceType);
      for (const { key, offline, heardAt } of kept.devices) watch.watch(key, { offline, heardAt });
    },
    sensors(list) {
      let changed = removeMissing("sensor:", new Set(list.map((sensor) => sensorKey(sensor.id))));
      types.clear();
      for (const sensor of list) {
        const key = sensorKey(sensor.id);
        types.set(String(sensor.id), sensor.deviceType);
        if (writer.get(key)) writer.patch(key, { info: sensorInfo(sensor) });
        else {
          changed = true;
          watch.watch(key);
          writer.set(key, { ...silentSensor(sensor) });
        }
      }
      if (place("cot", list.flatMap(cotChannels)) || changed) parts.onChanged();
    },
    farms(list) {
      removeMissing("farm:", new Set(list.map((farm) => farmKey(farm.id))));
      for (const farm of list) writer.set(farmKey(farm.id), { ...farmValue(farm) });
    },
    controllers(list) {
      removeMissing("controller:", new Set(list.map((controller) => controllerKey(controller.id))));
      for (const controller of list) {
        const key = controllerKey(controller.id);
        if (writer.get(key)) writer.patch(key, { info: controllerInfo(controller) });
        else {
          watch.watch(key);
          writer.set(key, { ...silentController(controller) });
        }
      }
      if (place("controller", list.flatMap(controllerChannels))) parts.onChanged();
    },
    sensorType: (sensorId) => types.get(sensorId),
    sensorIds: () => types.keys(),
    channels,
    channelsOf: (deviceKey) => byDevice.get(deviceKey) ?? [],
  };
}
