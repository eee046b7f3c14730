import type { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import type { Watering } from "@mulkko/shared/live/watering";
import { controllerKey, parseDeviceKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { valveName } from "@mulkko/shared/rules/valve-name";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { StateValue } from "../store/streams.ts";
import type { AccountValues } from "./farm-index.ts";

/** The state used to look up names. */
type Named = Pick<AccountValues, "get">;

const Channel = Type.Pick(ChannelValue, ["controllerId", "number", "sensorIds", "name"]);
const Controller = Type.Object({ info: Type.Pick(ControllerValue.properties.info, ["name", "serial"]) });
const Sensor = Type.Object({ info: Type.Pick(SensorValue.properties.info, ["name", "serial"]) });
const Farm = Type.Object({ info: Type.Pick(FarmValue.properties.info, ["name"]) });

/** Return the present name (NAME-1) and number of a channel; an empty object for an unknown channel. */
export function valveLabel(state: Named, channelKey: string): Pick<Watering, "valveName" | "number"> {
  const channel = parse(Channel, state.get(channelKey));
  if (!channel.ok) return {};
  const { controllerId, number, sensorIds, name } = channel.value;
  const controller =
    labelOf(Controller, state.get(controllerKey(controllerId))) ??
    labelOf(Sensor, state.get(sensorKey(controllerId)));
  if (controller === null) return { number };
  const sensors = sensorIds.flatMap((id) => labelOf(Sensor, state.get(sensorKey(id))) ?? []);
  return { valveName: valveName({ name, sensors, controller }), number };
}

/** Return the present name of a device, channel or farm; an empty name for an unknown or unnamed key. */
export function thingName(state: Named, key: string): AlarmName {
  switch (parseDeviceKey(key)?.kind) {
    case "channel": {
      const { valveName: name, number } = valveLabel(state, key);
      return { ...(name !== undefined && { name }), ...(number !== undefined && { number }) };
    }
    case "controller":
      return named(labelOf(Controller, state.get(key)));
    case "sensor":
      return named(labelOf(Sensor, state.get(key)));
    case "farm": {
      const farm = parse(Farm, state.get(key));
      return farm.ok ? { name: farm.value.info.name } : {};
    }
    default:
      return {};
  }
}

function labelOf(schema: typeof Controller | typeof Sensor, value: StateValue | undefined) {
  const labelled = parse(schema, value);
  return labelled.ok ? labelled.value.info : null;
}

const named = (label: ReturnType<typeof labelOf>): AlarmName =>
  label === null ? {} : { name: deviceName(label) };

/**
 * The valve's name, number and farms as stored with a watering, for when the valve or its names no longer
 * exist.
 */
export type WateringPlace = Pick<Watering, "valveName" | "number" | "farmIds">;

/** The name of its subject that an alarm keeps. */
export type AlarmName = Pick<Alarm, "name" | "number">;
