import type { Controller } from "@mulkko/shared/entities/controller";
import type { Farm } from "@mulkko/shared/entities/farm";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { channelKey, cotChannelKey } from "@mulkko/shared/live/keys";
import { cotChannelCount } from "@mulkko/shared/rules/valve";

/** A sensor as the lists give it, without its readings. */
export function sensorInfo(sensor: Sensor): SensorValue["info"] {
  const { latestLog: _, ...info } = sensor;
  return info;
}

/** A sensor of which nothing has been heard. */
export function silentSensor(sensor: Sensor): SensorValue {
  return { info: sensorInfo(sensor), reading: null, at: null, heardAt: null, quality: null, via: null };
}

export function controllerInfo(controller: Controller): ControllerValue["info"] {
  const { channels: _, ...info } = controller;
  return info;
}

/** A controller of which nothing has been heard. */
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

export function farmValue(farm: Farm): FarmValue {
  return {
    info: {
      id: farm.id,
      name: farm.name,
      description: farm.description ?? null,
      sensorIds: (farm.sensors ?? []).map((sensor) => sensor.id),
      ...(farm.createdDate ? { createdDate: farm.createdDate } : {}),
    },
  };
}

/** Where a channel sits: what the lists say of it. */
export type ChannelPlace = Pick<ChannelValue, "controllerId" | "serial" | "number" | "sensorIds">;

/** A channel, its key, and how the API names it in `refresh`. */
export interface ListedChannel {
  readonly key: string;
  readonly place: ChannelPlace;
  /** The channel's id, or a COT sensor's channel number. */
  readonly apiId: string | number;
  /** The device that it belongs to. */
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

/** A COT sensor has channels 1 to `chNums`. */
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

/** A channel that has not reported. */
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
