import type { AccountSettings, ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { changeChannelSettings, changeRunCap, fetchSettings } from "../../api/settings.ts";

const MINUTE_SECONDS = 60;

/** Return the whole minutes that no manual opening of a controller or COT sensor may exceed (RUN-1). */
export function capMinutesOf(settings: AccountSettings | null, controllerId: string | number): number {
  const cap = settings?.controllers[`${controllerId}`]?.maxRunSeconds ?? MAX_RUN_SECONDS;
  return Math.floor(cap / MINUTE_SECONDS);
}

/**
 * Return the default minutes of an opening (RUN-1), not above the cap of its controller. Without a controller
 * return the channel's setting, whatever the cap.
 */
export function runMinutesOf(
  settings: AccountSettings | null,
  channelId: string | number,
  controllerId?: string | number,
): number {
  const seconds = settings?.channels[`${channelId}`]?.defaultRunSeconds ?? DEFAULT_RUN_SECONDS;
  const minutes = Math.max(1, Math.round(seconds / MINUTE_SECONDS));
  return controllerId === undefined ? minutes : Math.min(minutes, capMinutesOf(settings, controllerId));
}

/** Return the WATERFLOW sensor whose litres count for the channel (WAT-1); null for none. */
export function flowSensorOf(settings: AccountSettings | null, channelId: string | number): string | null {
  return settings?.channels[`${channelId}`]?.flowSensorId ?? null;
}

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
