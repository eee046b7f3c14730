import { ChannelValue, ControllerValue, FarmValue } from "@mulkko/shared/live/devices";
import { controllerKey } from "@mulkko/shared/live/keys";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { StateValue } from "../ports/streams.ts";

/** An account's state, by key. */
export type FarmState = Readonly<Record<string, StateValue>>;

const Box = Type.Pick(ChannelValue, ["controllerId", "sensorIds"]);
const ControllerPlace = Type.Object({ info: Type.Pick(ControllerValue.properties.info, ["clusterId"]) });

/** The farms that channels are on. */
export interface FarmsOfChannels {
  /** Ids of the channel's farms; none for a channel on no farm, or one that is not there. */
  of(channelKey: string): readonly string[];
}

/**
 * A controller is on the farm that it names; without one it is on those of its channels' sensors, and a COT sensor
 * on its own.
 */
export function farmsOfChannels(state: FarmState): FarmsOfChannels {
  const farmsOfSensor = new Map<string, string[]>();
  const sensorsOfBox = new Map<string, Set<string>>();
  const boxOfChannel = new Map<string, string>();
  for (const [key, value] of Object.entries(state)) {
    if (key.startsWith("farm:")) {
      const farm = parse(FarmValue, value);
      if (!farm.ok) continue;
      const { id, sensorIds } = farm.value.info;
      for (const sensor of sensorIds.map(String)) {
        farmsOfSensor.set(sensor, [...(farmsOfSensor.get(sensor) ?? []), String(id)]);
      }
    }
    if (key.startsWith("channel:")) {
      const channel = parse(Box, value);
      if (!channel.ok) continue;
      const box = String(channel.value.controllerId);
      boxOfChannel.set(key, box);
      const sensors = sensorsOfBox.get(box) ?? new Set([box]);
      sensorsOfBox.set(box, sensors);
      for (const sensor of channel.value.sensorIds) sensors.add(String(sensor));
    }
  }
  const farmsOfBox = new Map<string, readonly string[]>();
  const farmsOf = (box: string): readonly string[] => {
    const known = farmsOfBox.get(box);
    if (known) return known;
    const controller = parse(ControllerPlace, state[controllerKey(box)]);
    const named = controller.ok ? controller.value.info.clusterId : null;
    const farms =
      named !== null && named !== undefined && String(named) !== "0"
        ? [String(named)]
        : [...new Set([...(sensorsOfBox.get(box) ?? [])].flatMap((id) => farmsOfSensor.get(id) ?? []))];
    farmsOfBox.set(box, farms);
    return farms;
  };
  return {
    of(channelKey) {
      const box = boxOfChannel.get(channelKey);
      return box === undefined ? [] : farmsOf(box);
    },
  };
}
