import { deviceName } from "@mulkko/shared/rules/device-name";
import { useMemo } from "react";
import { whenInfosChange } from "../../farm/when-infos-change.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type FarmItem, farmItems } from "./farm-list.ts";

const KINDS = ["farm", "sensor", "controller", "channel"] as const;

/** Every farm with its devices, and what is on none; another list only when something came, went or was renamed. */
export function useFarms(): readonly FarmItem[] {
  const { t } = useTranslation("irrigation");
  const noFarm = t("noFarm");
  return useLiveSelection(
    KINDS,
    useMemo(() => whenInfosChange((live) => farmItems(live, noFarm)), [noFarm]),
  );
}

/** A channel as it is spoken of. */
export interface NamedChannel {
  readonly boxId: string;
  readonly box: string;
  readonly number: number;
}

function channelsIn(live: LiveFarm): ReadonlyMap<string, NamedChannel> {
  const named = new Map<string, NamedChannel>();
  for (const [id, { controllerId, number }] of live.channels) {
    const boxId = `${controllerId}`;
    const info = (live.controllers.get(boxId) ?? live.sensors.get(boxId))?.info;
    if (info) named.set(id, { boxId, box: deviceName(info), number });
  }
  return named;
}

/** The channels by id, with the names of their boxes. */
export function useChannelNames(): ReadonlyMap<string, NamedChannel> {
  return useLiveSelection(
    KINDS,
    useMemo(() => whenInfosChange(channelsIn), []),
  );
}
