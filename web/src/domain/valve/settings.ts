import type { AccountSettings, ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { useQueryClient } from "@tanstack/react-query";
import { errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { changeChannelSettings, changeRunCap, fetchSettings } from "../../api/settings.ts";

/** Id of a device or channel. */
type Key = string | number;

const MINUTE_SECONDS = 60;

/** Return the whole minutes that no manual opening of a controller or COT sensor may exceed (RUN-1). */
export function capMinutesOf(settings: AccountSettings | null, controllerId: Key): number {
  const cap = settings?.controllers[`${controllerId}`]?.maxRunSeconds ?? MAX_RUN_SECONDS;
  return Math.floor(cap / MINUTE_SECONDS);
}

/** Return the default minutes of an opening (RUN-1), not above the cap of its controller. */
export function runMinutesOf(settings: AccountSettings | null, channelId: Key, controllerId: Key): number {
  const seconds = settings?.channels[`${channelId}`]?.defaultRunSeconds ?? DEFAULT_RUN_SECONDS;
  const minutes = Math.max(1, Math.round(seconds / MINUTE_SECONDS));
  return Math.min(minutes, capMinutesOf(settings, controllerId));
}

const SETTINGS = ["settings"];

/**
 * Return the account's settings, shared by all pages: each page loads them again and shows the known ones until
 * then.
 */
export function useSettings() {
  const { client } = useRest();
  const queries = useQueryClient();
  const query = useRestQuery(SETTINGS, fetchSettings, { gcTime: Number.POSITIVE_INFINITY });
  const { data: settings, error, refetch } = query;
  const save = async (change: Promise<AccountSettings>): Promise<void> => {
    const saved = await change;
    // A read under way may be older than the change.
    await queries.cancelQueries({ queryKey: SETTINGS });
    queries.setQueryData(SETTINGS, saved);
  };
  return {
    /** Null until they have loaded; defaults apply until then. */
    settings,
    /** Reason of a failed read, for `labels.error`; null without a failure. */
    failure: error && errorReason(error),
    /** Return the default minutes of an opening, not above its controller's cap. */
    runMinutes: (channelId: Key, controllerId: Key) => runMinutesOf(settings, channelId, controllerId),
    /** Return the minutes that no manual opening of the controller or COT sensor may exceed. */
    capMinutes: (controllerId: Key) => capMinutesOf(settings, controllerId),
    /** Reject if the relay refuses; nothing has changed then. */
    changeChannel: (id: Key, body: ChannelSettingsBody) => save(changeChannelSettings(client, id, body)),
    /** Reject if the relay refuses. @param maxRunSeconds null removes the setting */
    changeCap: (id: Key, maxRunSeconds: number | null) => save(changeRunCap(client, id, maxRunSeconds)),
    /** Load the settings again. */
    reread: () => void refetch(),
    /** Return the settings as they are stored now, for all pages too. Rejects without an answer. */
    readNow: async (): Promise<AccountSettings> => {
      const read = await fetchSettings(client, new AbortController().signal);
      await queries.cancelQueries({ queryKey: SETTINGS });
      queries.setQueryData(SETTINGS, read);
      return read;
    },
  };
}
export type Settings = ReturnType<typeof useSettings>;
