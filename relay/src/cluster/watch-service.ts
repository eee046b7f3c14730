import { WatchState } from "@mulkko/shared/rest/watch";
import Type from "typebox";
import { shardOf } from "../store/shard.ts";
import type { Store } from "../store/store.ts";
import { encryptSession, type SessionPair } from "../upstream/stored-session.ts";
import type { TokenCipher } from "../upstream/token-cipher.ts";
import type { WatchService } from "../upstream/watch.ts";
import type { Calls } from "./calls.ts";
import type { LocalOwners } from "./local-owners.ts";

/** The watch service, with the receiver of new sessions of the relay. */
export interface NodeWatchService extends WatchService {
  /** Pass the session to the account's owner, which alone stores and refreshes it (CRED-1 b). */
  signedIn(accountId: string, pair: SessionPair): Promise<void>;
}

/** ms within which the owner has to answer, including a takeover of its shard. */
const WITHIN_MS = 10_000;
const Done = Type.Literal(true);

export function createWatchService(deps: {
  store: Pick<Store, "shards">;
  local: Pick<LocalOwners, "signedIn" | "watch">;
  calls: Calls;
  cipher: TokenCipher;
}): NodeWatchService {
  const { store, local, calls, cipher } = deps;
  const isHere = (accountId: string): boolean => store.shards.owns(shardOf(accountId));
  return {
    async wish(accountId, wish) {
      if (isHere(accountId)) return local.watch(accountId, wish);
      return calls.ask(accountId, { do: "watch", wish }, WatchState, WITHIN_MS);
    },
    async signedIn(accountId, pair) {
      if (isHere(accountId)) return local.signedIn(accountId, pair);
      const session = encryptSession(cipher, pair);
      await calls.ask(accountId, { do: "signed-in", session }, Done, WITHIN_MS);
    },
  };
}
