import type {
  AccountSettings,
  AccountSettingsBody,
  ChannelSettingsBody,
  ControllerSettingsBody,
} from "@mulkko/shared/rest/settings";

/** What of an account's settings is to be another: the account's own, or those of one controller or channel. */
export type SettingsChange =
  | ({ about: "account" } & AccountSettingsBody)
  | ({ about: "controller"; id: string } & ControllerSettingsBody)
  | ({ about: "channel"; id: string } & ChannelSettingsBody);

/** Why a change is not made; the account has no such channel or controller where it is `unknown`. */
export type SettingsRefusal = "unknown" | "above-cap" | "no-flow-meter" | "own-sensor" | "too-many";
export type SettingsAnswer = { ok: true; settings: AccountSettings } | { ok: false; why: SettingsRefusal };

/** What an account has set; in force at once. */
export interface SettingsDesk {
  get(): Promise<AccountSettings>;
  /** Rejects with a `StoreUnavailableError` when it could not be kept; then nothing has changed. */
  change(change: SettingsChange): Promise<SettingsAnswer>;
}
