import { WatchState } from "@mulkko/shared/rest/watch";
import Type from "typebox";
import type { LocalOwners } from "../owner/local-owners.ts";
import type { WatchDesk } from "../ports/watch.ts";
import { shardOf } from "../store/shard.ts";
import type { Store } from "../store/store.ts";
import { type SessionPair, sealSession } from "../upstream/kept-session.ts";
import type { Calls } from "./calls.ts";
import type { Seal } from "./seal.ts";

/** The watch desk, and where new sessions of the relay's own go. */
export interface NodeWatchDesk extends WatchDesk {
  /** Hands the session to the account's owner: it alone keeps and refreshes it (CRED-1 b). */
  signedIn(accountId: string, pair: SessionPair): Promise<void>;
}

/** ms within which the owner has to answer; a takeover of its shard lies within it. */
const WITHIN_MS = 10_000;
const Done = Type.Literal(true);

export function createWatchDesk(parts: {
  store: Pick<Store, "shards">;
  local: Pick<LocalOwners, "signedIn" | "watch">;
  calls: Calls;
  seal: Seal;
}): NodeWatchDesk {
  const { store, local, calls, seal } = parts;
  const isHere = (accountId: string): boolean => store.shards.owns(shardOf(accountId));
  return {
    async wish(accountId, wish) {
      if (isHere(accountId)) return local.watch(accountId, wish);
      return calls.ask(accountId, { do: "watch", wish }, WatchState, WITHIN_MS);
    },
    async signedIn(accountId, pair) {
      if (isHere(accountId)) return local.signedIn(accountId, pair);
      const session = sealSession(seal, pair);
      await calls.ask(accountId, { do: "signed-in", session }, Done, WITHIN_MS);
    },
  };
}
