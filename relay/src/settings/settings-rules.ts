import { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import type {
  AccountSettingsBody,
  ChannelSettingsBody,
  ControllerSettingsBody,
} from "@mulkko/shared/rest/settings";
import { channelKey, controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { AccountValues } from "../account/farm-index.ts";

const Place = Type.Pick(ChannelValue, ["controllerId", "sensorIds"]);
const Meter = Type.Object({ info: Type.Pick(SensorValue.properties.info, ["deviceType"]) });
const FLOW_METER = "WATERFLOW";

/**
 * Return why an account's change is refused; null if it is allowed. A device that the account does not have
 * is `unknown`, even if it exists in another account.
 *
 * @param capSeconds the configured maximum run of a controller
 */
export function settingsRefusal(
  change: SettingsChange,
  state: Pick<AccountValues, "get">,
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
      // A default above the cap would make every opening without a run time fail.
      if ((defaultRunSeconds ?? 0) > capSeconds(String(controllerId))) return "above-cap";
      if (flowSensorId === undefined || flowSensorId === null) return null;
      if (sensorIds.map(String).includes(flowSensorId)) return "own-sensor";
      const meter = parse(Meter, state.get(sensorKey(flowSensorId)));
      return meter.ok && meter.value.info.deviceType === FLOW_METER ? null : "no-flow-meter";
    }
  }
}

/** A change of an account's settings: the account's own, or those of one controller or channel. */
export type SettingsChange =
  | ({ about: "account" } & AccountSettingsBody)
  | ({ about: "controller"; id: string } & ControllerSettingsBody)
  | ({ about: "channel"; id: string } & ChannelSettingsBody);

/** Reason why a change is refused; `unknown`: the account has no such channel or controller. */
export type SettingsRefusal = "unknown" | "above-cap" | "no-flow-meter" | "own-sensor" | "too-many";
