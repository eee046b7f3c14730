import type { WatchState } from "@mulkko/shared/rest/watch";
import type { Log } from "../ports/log.ts";
import type { WatchWish } from "../ports/watch.ts";
import { logUnkept } from "../store/log-unkept.ts";
import type { Store } from "../store/store.ts";
import type { AccountSessions } from "../upstream/account-sessions.ts";

/** Which accounts are taken up again after a restart and with their shards: those that the relay may watch alone. */
export interface WatchList {
  remember(accountId: string): Promise<void>;
  /** Does it, and says how it stands then. */
  wish(accountId: string, wish: WatchWish): Promise<WatchState>;
  close(): void;
}

export interface WatchListParts {
  readonly store: Pick<Store, "watchAccount" | "unwatchAccount">;
  readonly sessions: AccountSessions;
  readonly log: Log;
  /** Resolves when the account's owner here, if there is one, has read what is kept of its session; true if so. */
  readonly readByOwner: (accountId: string) => Promise<boolean>;
}

export function createWatchList({ store, sessions, log, readByOwner }: WatchListParts): WatchList {
  const remembered = new Set<string>();

  const forget = async (accountId: string): Promise<void> => {
    remembered.delete(accountId);
    try {
      await store.unwatchAccount(accountId);
    } catch (error) {
      // It is taken up once more at the next start, and then left alone: nothing serves it.
      logUnkept(log, "warn", { err: error }, "an account could not be taken off the watched ones");
    }
  };
  const done = async (accountId: string, wish: WatchWish): Promise<void> => {
    switch (wish) {
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
    try {
      await store.watchAccount(accountId);
      remembered.add(accountId);
    } catch (error) {
      logUnkept(log, "warn", { err: error }, "an account could not be remembered for the next start");
    }
  };

  return {
    remember,
    async wish(accountId, wish) {
      if (!(await readByOwner(accountId))) await sessions.load(accountId);
      await done(accountId, wish);
      const state = sessions.state(accountId);
      if (wish === "state") return state;
      if (state.by === "nobody") await forget(accountId);
      else if (wish === "start") await remember(accountId);
      return state;
    },
    close: sessions.onEnded((accountId) => void forget(accountId)),
  };
}
