import { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import { channelKey, controllerKey, sensorKey } from "@mulkko/shared/live/keys";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { AccountState } from "../core/farm-channels.ts";
import type { SettingsChange, SettingsRefusal } from "../ports/settings.ts";

const Place = Type.Pick(ChannelValue, ["controllerId", "sensorIds"]);
const Meter = Type.Object({ info: Type.Pick(SensorValue.properties.info, ["deviceType"]) });
const FLOW_METER = "WATERFLOW";

/**
 * Why an account may not change its settings so; null if it may. What it does not have is `unknown`, whether or not
 * somebody else has it.
 *
 * @param capSeconds the longest run of a controller, as it is set
 */
export function settingsRefusal(
  change: SettingsChange,
  state: Pick<AccountState, "get">,
  capSeconds: (controllerId: string) => number,
): SettingsRefusal | null {
  switch (change.about) {
    case "account":
      return null;
    case "controller": {
      const device = state.get(controllerKey(change.id)) ?? state.get(sensorKey(change.id));
      return device === undefined ? "unknown" : null;
    }
    case "channel": {
      const channel = parse(Place, state.get(channelKey(change.id)));
      if (!channel.ok) return "unknown";
      const { controllerId, sensorIds } = channel.value;
      const { defaultRunSeconds, flowSensorId } = change;
      // A default that no opening may have would make every plain opening fail.
      if ((defaultRunSeconds ?? 0) > capSeconds(String(controllerId))) return "above-cap";
      if (flowSensorId === undefined || flowSensorId === null) return null;
      if (sensorIds.map(String).includes(flowSensorId)) return "own-sensor";
      const meter = parse(Meter, state.get(sensorKey(flowSensorId)));
      return meter.ok && meter.value.info.deviceType === FLOW_METER ? null : "no-flow-meter";
    }
  }
}
