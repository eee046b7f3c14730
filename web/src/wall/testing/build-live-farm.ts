import type { Alarm } from "@mulkko/shared/live/alarm";
import type { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import {
  buildChannelValue,
  buildController,
  buildControllerValue,
  buildSensor,
  buildSensorValue,
} from "@mulkko/shared/testing/builders";
import type { LiveFarm } from "../../live/hooks.ts";

/** Build a sensor whose name is its id. */
export const sensorEntry = (
  id: string,
  change: Partial<SensorValue> = {},
  deviceType = "SMS",
): [string, SensorValue] => {
  const { latestLog: _log, ...info } = buildSensor({ id, name: id, deviceType });
  return [id, buildSensorValue({ info: { ...info, widget: false }, ...change })];
};
/** Build a channel whose number is that of its id. */
export const channelEntry = (
  id: string,
  controllerId = "c1",
  change: Partial<ChannelValue> = {},
): [string, ChannelValue] => [
  id,
  buildChannelValue({ controllerId, number: Number(id.replaceAll(/\D/g, "")), ...change }),
];
export const controllerEntry = (id: string): [string, ControllerValue] => {
  const { channels: _channels, ...info } = { channels: undefined, ...buildController({ id, name: id }) };
  return [id, buildControllerValue({ info })];
};
export const buildLiveFarm = (
  sensors: [string, SensorValue][],
  channels: [string, ChannelValue][] = [],
  alarms: Alarm[] = [],
  controllers: [string, ControllerValue][] = [controllerEntry("c1")],
): LiveFarm => ({
  farms: new Map(),
  sensors: new Map(sensors),
  controllers: new Map(controllers),
  channels: new Map(channels),
  waterings: new Map(),
  alarms: new Map(alarms.map((alarm) => [alarm.id, alarm])),
});
