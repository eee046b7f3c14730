import { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { controllerKey, sensorKey } from "@mulkko/shared/live/keys";
import type { Watering } from "@mulkko/shared/live/watering";
import { valveName } from "@mulkko/shared/rules/valve-name";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { StateValue } from "../ports/streams.ts";
import { farmsOfChannels } from "./channel-farms.ts";
import type { AccountState } from "./farm-channels.ts";

/** The valve's name, number and farms as stored with a watering, for when the valve or its names are gone. */
export type WateringPlace = Pick<Watering, "valveName" | "number" | "farmIds">;

const Box = Type.Pick(ChannelValue, ["controllerId", "number", "sensorIds", "name"]);
const Controller = Type.Object({ info: Type.Pick(ControllerValue.properties.info, ["name", "serial"]) });
const Sensor = Type.Object({ info: Type.Pick(SensorValue.properties.info, ["name", "serial"]) });

/** Return the name, number and farms of a channel as they are now; nothing for a channel that is not there. */
export function wateringPlace(state: AccountState, channelKey: string): WateringPlace {
  const box = parse(Box, state.get(channelKey));
  if (!box.ok) return {};
  const { controllerId, number, sensorIds, name } = box.value;
  const values: Record<string, StateValue> = {};
  for (const key of state.keys()) values[key] = state.get(key) ?? {};
  const farmIds = [...farmsOfChannels(values).of(channelKey)];
  const controller =
    labelOf(Controller, state.get(controllerKey(controllerId))) ??
    labelOf(Sensor, state.get(sensorKey(controllerId)));
  if (controller === null) return { number, farmIds };
  const sensors = sensorIds.flatMap((id) => labelOf(Sensor, state.get(sensorKey(id))) ?? []);
  return { valveName: valveName({ name, sensors, controller }), number, farmIds };
}

function labelOf(schema: typeof Controller | typeof Sensor, value: StateValue | undefined) {
  const labelled = parse(schema, value);
  return labelled.ok ? labelled.value.info : null;
}
