import { deviceName } from "@mulkko/shared/rules/device-name";
import { useMemo } from "react";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { PickableSensor } from "./picker.ts";

const KINDS = ["farm", "sensor"] as const;

function pickableIn({ farms, sensors }: LiveFarm): readonly PickableSensor[] {
  const farmOf = new Map<string, string>();
  for (const { info } of farms.values()) {
    for (const id of info.sensorIds) farmOf.set(`${id}`, info.name);
  }
  return [...sensors].map(([id, { info }]) => ({
    id,
    name: deviceName(info),
    serial: `${info.serial ?? "--"}`,
    deviceType: info.deviceType,
    farm: farmOf.get(id) ?? null,
  }));
}

/** Return all sensors of the account with their farms. */
export function usePickableSensors(): readonly PickableSensor[] {
  return useLiveSelection(
    KINDS,
    useMemo(() => whenInfosChange(pickableIn), []),
  );
}
