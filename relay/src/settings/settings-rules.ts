import { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import type { AccountSettings } from "@mulkko/shared/rest/settings";
import { channelKey, controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { AccountValues } from "../account/farm-index.ts";
import type { SettingsChange, SettingsRefusal } from "./settings-calls.ts";

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

/** Return an account's settings after a change. A reset value is removed, so that its default applies. */
export function changedSettings(settings: AccountSettings, change: SettingsChange): AccountSettings {
  switch (change.about) {
    case "account":
      return { ...settings, adoptExternal: change.adoptExternal };
    case "controller": {
      const { [change.id]: _, ...controllers } = settings.controllers;
      const { maxRunSeconds } = change;
      if (maxRunSeconds !== null) controllers[change.id] = { maxRunSeconds };
      return { ...settings, controllers };
    }
    case "channel": {
      const { [change.id]: before, ...channels } = settings.channels;
      const name = chosen(change.name?.trim() ?? change.name, before?.name);
      const defaultRunSeconds = chosen(change.defaultRunSeconds, before?.defaultRunSeconds);
      const flowSensorId = chosen(change.flowSensorId, before?.flowSensorId);
      const largestFlow = chosen(change.largestFlow, before?.largestFlow);
      const channel = {
        ...(name !== undefined && { name }),
        ...(defaultRunSeconds !== undefined && { defaultRunSeconds }),
        ...(flowSensorId !== undefined && { flowSensorId }),
        ...(largestFlow !== undefined && { largestFlow }),
      };
      if (Object.keys(channel).length > 0) channels[change.id] = channel;
      return { ...settings, channels };
    }
  }
}

const chosen = <T>(asked: T | null | undefined, before: T | undefined): T | undefined =>
  asked === undefined ? before : (asked ?? undefined);
