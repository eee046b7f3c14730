import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { channelName } from "../../domain/valve/valve-title.ts";
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
  readonly unitId: string;
  /** The valve's name (NAME-1). */
  readonly name: string;
  readonly number: number;
}

const channelsIn = (live: LiveFarm): ReadonlyMap<string, NamedChannel> =>
  new Map(
    [...live.channels].map(([id, channel]) => [
      id,
      { unitId: `${channel.controllerId}`, name: channelName(channel, live), number: channel.number },
    ]),
  );

/** The channels by id, with their names. */
export function useChannelNames(): ReadonlyMap<string, NamedChannel> {
  return useLiveSelection(
    KINDS,
    useMemo(() => whenInfosChange(channelsIn), []),
  );
}
