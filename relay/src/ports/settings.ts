import type { AccountSettings } from "@mulkko/shared/rest/settings";

/** What an account has set; in force at once. */
export interface SettingsDesk {
  get(): Promise<AccountSettings>;
  /** Rejects with a `StoreUnavailableError` when it could not be kept; then nothing has changed. */
  put(settings: AccountSettings): Promise<void>;
}
