import type { AccountSettings, ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { RestClient } from "../rest/client.ts";
import { errorReason } from "../rest/error-reason.ts";
import { adoptExternal, changeChannelSettings, changeRunCap, fetchSettings } from "../rest/settings.ts";

/** What is known of an account's settings; `failure` is why a reading failed, for `labels.error`. */
export interface SettingsState {
  readonly settings: AccountSettings | null;
  readonly failure: string | null;
}

/** An account's settings, once for all parts of the page. */
export interface SettingsDesk {
  readonly store: StoreApi<SettingsState>;
  /** Asks for them; those who ask at the same time share one call. Never rejects. */
  read(): Promise<void>;
  /** These reject where the relay says no; nothing has changed then. */
  changeAdoption(adopt: boolean): Promise<void>;
  changeChannel(channelId: string | number, body: ChannelSettingsBody): Promise<void>;
  /** @param maxRunSeconds null takes back what was set */
  changeCap(controllerId: string | number, maxRunSeconds: number | null): Promise<void>;
}

export function createSettingsDesk(rest: RestClient): SettingsDesk {
  // Those who asked may be gone; the answer is for whoever comes next.
  const { signal } = new AbortController();
  const store = createStore<SettingsState>(() => ({ settings: null, failure: null }));
  let reading: Promise<void> | null = null;
  /** Counts what was saved, so that an answer which was on its way meanwhile does not undo it. */
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
