import type { WatchState } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { Store } from "../store/store.ts";
import { createListeners } from "../store/streams/listeners.ts";
import type { UpstreamClient } from "./client.ts";
import { createOwnSessions, type OwnSessions } from "./own-sessions.ts";
import type { RelayKey } from "./relay-key.ts";
import { createRelaySessions, type RelaySessions } from "./relay-session.ts";
import type { TokenCipher } from "./token-cipher.ts";
import type { UpstreamClock } from "./upstream-clock.ts";

/** The relay's sessions of both kinds, for the accounts whose owners are on this node (CRED-1 a, b). */
export interface AccountSessions
  extends Omit<RelaySessions, "possible">,
    Pick<OwnSessions, "load" | "adopt" | "settled"> {
  state(accountId: string): WatchState;
  /** Stop watching the account until it is started again, or until the next sign-in with a plain API. */
  stop(accountId: string): Promise<void>;
  /**
   * Start watching; possible only if the API has sessions for relays, because a plain API needs a sign-in.
   */
  start(accountId: string): Promise<void>;
  passwordChanged(accountId: string): Promise<void>;
  /** Subscribe to what happens to accounts by themselves. Return the unsubscribe function. */
  onTurn(listener: (turn: AccountTurn) => void): () => void;
  /** Record that no credential of the account was accepted for a poll. */
  refused(accountId: string): void;
}

/**
 * An event of an account. `gone` and `disabled`: the API reports it as deleted or disabled; `ended`: its
 * session ended by itself; `refused`: none of its credentials was accepted for a poll.
 */
export interface AccountTurn {
  readonly kind: "gone" | "disabled" | "ended" | "refused";
  readonly accountId: string;
}

export interface AccountSessionsDeps {
  readonly client: UpstreamClient;
  readonly relayKey: RelayKey;
  readonly store: Pick<Store, "documents" | "shards">;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly upstreamClock: Pick<UpstreamClock, "offsetMs">;
  readonly log: Log;
  readonly reachable: () => boolean;
}

export function createAccountSessions(deps: AccountSessionsDeps): AccountSessions {
  const turns = createListeners<AccountTurn>((error) =>
    deps.log.error({ event: "session-listener-failed", err: error }, "listener of sessions failed"),
  );
  const turn =
    (kind: AccountTurn["kind"]) =>
    (accountId: string): void =>
      turns.call({ kind, accountId });
  const { client, relayKey, clock, upstreamClock } = deps;
  const offered = createRelaySessions({
    client,
    relayKey,
    clock,
    upstreamClock,
    onGone: turn("gone"),
    onDisabled: turn("disabled"),
  });
  const own = createOwnSessions({ ...deps, onEnded: turn("ended") });
  const isStopped = (accountId: string): boolean => own.ended(accountId) === "stopped";
  const isOffered = (accountId: string): boolean => !isStopped(accountId) && offered.mayServe(accountId);

  return {
    load: own.load,
    adopt: own.adopt,
    settled: own.settled,
    onTurn: turns.add,
    refused: turn("refused"),
    mayServe: (accountId) => isOffered(accountId) || own.has(accountId),
    async token(accountId) {
      if (isStopped(accountId)) return null;
      return (await offered.token(accountId)) ?? own.token(accountId);
    },
    doubt: offered.doubt,
    forget(accountId, token) {
      offered.forget(accountId, token);
      own.forget(accountId, token);
    },
    state(accountId) {
      const by = isOffered(accountId) ? "relay-session" : own.has(accountId) ? "sign-in" : "nobody";
      const why = by === "nobody" ? own.ended(accountId) : null;
      return { by, ended: why, mayStart: isStopped(accountId) && offered.possible };
    },
    stop: (accountId) => own.end(accountId, "stopped"),
    async start(accountId) {
      if (isStopped(accountId) && offered.possible) await own.clear(accountId);
    },
    async passwordChanged(accountId) {
      if (own.has(accountId)) await own.end(accountId, "password-changed");
    },
  };
}

/** Requests for the watching of an account; `state` changes nothing. */
export type WatchRequest = "state" | "stop" | "start" | "password-changed";

/** Controls the watching of an account while no user is signed in, on whatever node its owner is (CRED-1). */
export interface WatchService {
  /**
   * Execute the request and return the new state. Rejects with an `UpstreamError` if the owner does not
   * answer.
   */
  request(accountId: string, action: WatchRequest): Promise<WatchState>;
}
