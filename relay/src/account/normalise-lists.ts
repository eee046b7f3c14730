import type { Controller } from "@mulkko/shared/entities/controller";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { channelKey, cotChannelKey } from "@mulkko/shared/rules/device-keys";
import { cotChannelCount } from "@mulkko/shared/rules/valve";

/** Return a sensor from the lists, without its readings. */
export function sensorInfo(sensor: Sensor): SensorValue["info"] {
  const { latestLog: _, ...info } = sensor;
  return info;
}

/** Return a sensor that has not reported. */
export function silentSensor(sensor: Sensor): SensorValue {
  return { info: sensorInfo(sensor), reading: null, at: null, heardAt: null, quality: null, via: null };
}

export function controllerInfo(controller: Controller): ControllerValue["info"] {
  const { channels: _, ...info } = controller;
  return info;
}

/** Return a controller that has not reported. */
export function silentController(controller: Controller): ControllerValue {
  return {
    info: controllerInfo(controller),
    quality: null,
    rssi: null,
    fwversion: null,
    heardAt: null,
    link: null,
  };
}

/** A farm as a list describes it. */
export interface FarmRow {
  readonly id: string | number;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly createdDate?: string | null | undefined;
  readonly version?: string | null | undefined;
  readonly sensors?: readonly { readonly id: string | number }[] | null | undefined;
}

/** Return a farm's value; a farm without a name is named by its id. */
export function farmValue(farm: FarmRow): FarmValue {
  return {
    info: {
      id: farm.id,
      name: farm.name ?? `${farm.id}`,
      description: farm.description ?? null,
      sensorIds: (farm.sensors ?? []).map((sensor) => sensor.id),
      ...(farm.createdDate ? { createdDate: farm.createdDate } : {}),
      ...(farm.version ? { version: farm.version } : {}),
    },
  };
}

/** The place of a channel, as the lists describe it. */
export type ChannelPlace = Pick<ChannelValue, "controllerId" | "serial" | "number" | "sensorIds">;

/** A channel, its key, and its id for `refresh`. */
export interface ListedChannel {
  readonly key: string;
  readonly place: ChannelPlace;
  /** The channel's id, or a COT sensor's channel number. */
  readonly apiId: string | number;
  /** Key of the device that the channel belongs to. */
  readonly deviceKey: string;
  readonly kind: "controller" | "cot";
}

export function controllerChannels(controller: Controller): ListedChannel[] {
  return (controller.channels ?? []).map((channel) => ({
    key: channelKey(channel.id),
    place: {
      controllerId: controller.id,
      serial: controller.serial,
      number: channel.channelNumber,
      sensorIds: (channel.sensors ?? []).map((sensor) => sensor.id),
    },
    apiId: channel.id,
    deviceKey: `controller:${controller.id}`,
    kind: "controller",
  }));
}

/** Return the channels of a COT sensor: 1 to `chNums`. */
export function cotChannels(sensor: Sensor): ListedChannel[] {
  if (sensor.deviceType !== "COT") return [];
  return Array.from({ length: cotChannelCount(sensor.chNums) }, (_, index) => ({
    key: cotChannelKey(sensor.id, index + 1),
    place: { controllerId: sensor.id, serial: sensor.serial, number: index + 1, sensorIds: [] },
    apiId: index + 1,
    deviceKey: `sensor:${sensor.id}`,
    kind: "cot",
  }));
}

/** Return a channel that has not reported. */
export function silentChannel(place: ChannelPlace): ChannelValue {
  return {
    ...place,
    onoff: 0,
    modes: null,
    moisture: null,
    runUntil: null,
    endsBy: null,
    command: null,
    at: null,
    heardAt: null,
    quality: null,
  };
}
