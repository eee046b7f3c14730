import type { WatchState } from "@mulkko/shared/rest/watch";

/** What may be wished about the watching of an account; `state` only asks. */
export type WatchWish = "state" | "stop" | "start" | "password-changed";

/** The way to what watches an account while nobody is signed in, on whatever node its owner is (CRED-1). */
export interface WatchDesk {
  /** Does it, and says how it stands then. Rejects with an `UpstreamError` where the owner does not answer. */
  wish(accountId: string, wish: WatchWish): Promise<WatchState>;
}
