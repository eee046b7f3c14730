import type { WatchState } from "@mulkko/shared/rest/watch";
import { type AccessEnds, endsOf } from "../access/access-ends.ts";
import type { AccountAccess, WatchRequest } from "../access/account-access.ts";
import type { Log } from "../runtime/log.ts";
import { notPersisted } from "../store/errors.ts";
import type { Store } from "../store/store.ts";

/**
 * The accounts that are recovered after a restart and with their shards: those that the relay may watch
 * alone.
 */
export interface WatchList {
  remember(accountId: string): Promise<void>;
  /** Execute the request and return the new state. */
  request(accountId: string, action: WatchRequest): Promise<WatchState>;
  close(): void;
}

export interface WatchListDeps {
  readonly store: Pick<Store, "watchAccount" | "unwatchAccount">;
  readonly sessions: Pick<AccountAccess, "load" | "state" | "stop" | "start" | "passwordChanged">;
  readonly ends: Pick<AccessEnds, "onEnd">;
  readonly log: Log;
  /** Resolves when the account's owner on this node, if any, has read its stored session; true if so. */
  readonly readByOwner: (accountId: string) => Promise<boolean>;
}

export function createWatchList({ store, sessions, ends, log, readByOwner }: WatchListDeps): WatchList {
  const remembered = new Set<string>();

  const forget = async (accountId: string): Promise<void> => {
    remembered.delete(accountId);
    const fields = { event: "unwatch-not-stored" };
    // The next start recovers it once more, and then releases it for lack of a credential.
    await store
      .unwatchAccount(accountId)
      .catch(notPersisted(log, "warn", fields, "failed to remove account from watch list"));
  };
  const done = async (accountId: string, action: WatchRequest): Promise<void> => {
    switch (action) {
      case "state":
        return;
      case "stop":
        return sessions.stop(accountId);
      case "start":
        return sessions.start(accountId);
      case "password-changed":
        return sessions.passwordChanged(accountId);
    }
  };
  const remember = async (accountId: string): Promise<void> => {
    if (remembered.has(accountId)) return;
    await store
      .watchAccount(accountId)
      .then(
        () => void remembered.add(accountId),
        notPersisted(log, "warn", { event: "watch-not-stored" }, "failed to add account to watch list"),
      );
  };

  return {
    remember,
    async request(accountId, action) {
      if (!(await readByOwner(accountId))) await sessions.load(accountId);
      await done(accountId, action);
      const state = sessions.state(accountId);
      if (action === "state") return state;
      if (state.by === "nobody") await forget(accountId);
      else if (action === "start") await remember(accountId);
      return state;
    },
    close: ends.onEnd((end) => {
      if (endsOf(end).watching === "forgotten" && "accountId" in end) void forget(end.accountId);
    }),
  };
}
