import type { AccountSettings, ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { changeChannelSettings, changeRunCap, fetchSettings } from "../../api/settings.ts";
import { capMinutesOf, flowSensorOf, runMinutesOf } from "./run-settings.ts";

/** Settings of an account's valves. Defaults apply until they have loaded. */
export interface Settings {
  /** Null until they have loaded. */
  readonly settings: AccountSettings | null;
  /** Reason of a failed read, for `labels.error`; null without a failure. */
  readonly failure: string | null;
  /** Return the default minutes of an opening; with its controller, not above the controller's cap. */
  runMinutes(channelId: string | number, controllerId?: string | number): number;
  /** Return the minutes that no manual opening of the controller or COT sensor may exceed. */
  capMinutes(controllerId: string | number): number;
  /** Return the flow meter linked to the channel; null for none. */
  flowSensor(channelId: string | number): string | null;
  /** These calls reject if the relay refuses; nothing has changed then. */
  changeChannel(channelId: string | number, body: ChannelSettingsBody): Promise<void>;
  /** @param maxRunSeconds null removes the setting */
  changeCap(controllerId: string | number, maxRunSeconds: number | null): Promise<void>;
  /** Load the settings again. */
  reread(): void;
}

const SETTINGS = ["settings"];

/**
 * Return the account's settings, shared by all pages: each page loads them again and shows the known ones until
 * then.
 */
export function useSettings(): Settings {
  const { client } = useRest();
  const queries = useQueryClient();
  const {
    data: settings,
    error,
    refetch,
  } = useRestQuery(SETTINGS, fetchSettings, { gcTime: Number.POSITIVE_INFINITY });
  return useMemo(() => {
    const save = async (change: Promise<AccountSettings>): Promise<void> => {
      const saved = await change;
      // A read under way may be older than the change.
      await queries.cancelQueries({ queryKey: SETTINGS });
      queries.setQueryData(SETTINGS, saved);
    };
    return {
      settings,
      failure: error && errorReason(error),
      runMinutes: (channelId, controllerId) => runMinutesOf(settings, channelId, controllerId),
      capMinutes: (controllerId) => capMinutesOf(settings, controllerId),
      flowSensor: (channelId) => flowSensorOf(settings, channelId),
      changeChannel: (id, body) => save(changeChannelSettings(client, id, body)),
      changeCap: (id, maxRunSeconds) => save(changeRunCap(client, id, maxRunSeconds)),
      reread: () => void refetch(),
    };
  }, [client, queries, settings, error, refetch]);
}
