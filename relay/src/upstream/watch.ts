import type { WatchState } from "@mulkko/shared/rest/watch";

/** Requests for the watching of an account; `state` changes nothing. */
export type WatchRequest = "state" | "stop" | "start" | "password-changed";

/** Controls the watching of an account while no user is signed in, on whatever node its owner is (CRED-1). */
export interface WatchService {
  /**
   * Execute the request and return the new state. Rejects with an `UpstreamError` if the owner does not
   * answer.
   */
  wish(accountId: string, wish: WatchRequest): Promise<WatchState>;
}
