import type { AccountSettings, ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { RestClient } from "../rest/client.ts";
import { errorReason } from "../rest/error-reason.ts";
import { adoptExternal, changeChannelSettings, changeRunCap, fetchSettings } from "../rest/settings.ts";

/** Known settings of an account; `failure` is the reason of a failed read, for `labels.error`. */
export interface SettingsState {
  readonly settings: AccountSettings | null;
  readonly failure: string | null;
}

/** Settings of an account, shared by all parts of the page. */
export interface SettingsService {
  readonly store: StoreApi<SettingsState>;
  /** Read the settings; simultaneous readers share one call. Never rejects. */
  read(): Promise<void>;
  /** These calls reject if the relay refuses; nothing has changed then. */
  changeAdoption(adopt: boolean): Promise<void>;
  changeChannel(channelId: string | number, body: ChannelSettingsBody): Promise<void>;
  /** @param maxRunSeconds null removes the setting */
  changeCap(controllerId: string | number, maxRunSeconds: number | null): Promise<void>;
}

export function createSettingsService(rest: RestClient): SettingsService {
  // Do not abort with the first reader: later readers use the answer too.
  const { signal } = new AbortController();
  const store = createStore<SettingsState>(() => ({ settings: null, failure: null }));
  let reading: Promise<void> | null = null;
  /** Counts saved changes, so that an older answer does not overwrite them. */
  let saved = 0;

  const read = async (): Promise<void> => {
    const before = saved;
    try {
      const settings = await fetchSettings(rest, signal);
      if (saved === before) store.setState({ settings, failure: null });
    } catch (error) {
      if (saved === before) store.setState({ failure: errorReason(error) });
    } finally {
      reading = null;
    }
  };
  const save = async (change: Promise<AccountSettings>): Promise<void> => {
    const settings = await change;
    saved += 1;
    store.setState({ settings, failure: null });
  };
  return {
    store,
    read() {
      reading ??= read();
      return reading;
    },
    changeAdoption: (adopt) => save(adoptExternal(rest, adopt)),
    changeChannel: (id, body) => save(changeChannelSettings(rest, id, body)),
    changeCap: (id, maxRunSeconds) => save(changeRunCap(rest, id, maxRunSeconds)),
  };
}
