import type { WatchState } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { Store } from "../store/store.ts";
import { createListeners } from "../store/streams/listeners.ts";
import type { UpstreamClient } from "./client.ts";
import { createOwnSessions, type OwnSessions } from "./own-sessions.ts";
import { createRelaySessions, type RelaySessions } from "./relay-session.ts";
import type { TokenCipher } from "./token-cipher.ts";
import type { CapabilitySource } from "./upstream.ts";

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
  /** Subscribe to sessions that end by themselves. Return the unsubscribe function. */
  onEnded(listener: (accountId: string) => void): () => void;
  /** Subscribe to accounts that the API reports as deleted. Return the unsubscribe function. */
  onGone(listener: (accountId: string) => void): () => void;
  /** Subscribe to accounts that the API reports as disabled. Return the unsubscribe function. */
  onDisabled(listener: (accountId: string) => void): () => void;
  /** Record that no credential of the account was accepted for a poll. */
  refused(accountId: string): void;
  onRefused(listener: (accountId: string) => void): () => void;
}

export interface AccountSessionsDeps {
  readonly client: UpstreamClient;
  readonly capabilities: CapabilitySource;
  readonly store: Pick<Store, "sessions" | "shards">;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly log: Log;
  /** The shared `RELAY_KEY`. */
  readonly key: string | undefined;
  readonly reachable: () => boolean;
}

export function createAccountSessions(deps: AccountSessionsDeps): AccountSessions {
  const ended = createListeners<string>((error) =>
    deps.log.error({ event: "session-listener-failed", err: error }, "listener of ended sessions failed"),
  );
  const gone = createListeners<string>((error) =>
    deps.log.error({ event: "account-listener-failed", err: error }, "listener of deleted accounts failed"),
  );
  const disabled = createListeners<string>((error) =>
    deps.log.error({ event: "disabled-listener-failed", err: error }, "listener of disabled accounts failed"),
  );
  const refused = createListeners<string>((error) =>
    deps.log.error({ event: "refused-listener-failed", err: error }, "listener of refused accounts failed"),
  );
  const offered = createRelaySessions({ ...deps, onGone: gone.call, onDisabled: disabled.call });
  const own = createOwnSessions({ ...deps, onEnded: ended.call });
  const isStopped = (accountId: string): boolean => own.ended(accountId) === "stopped";
  const isOffered = (accountId: string): boolean => !isStopped(accountId) && offered.mayServe(accountId);

  return {
    load: own.load,
    adopt: own.adopt,
    settled: own.settled,
    onEnded: ended.add,
    onGone: gone.add,
    onDisabled: disabled.add,
    refused: refused.call,
    onRefused: refused.add,
    mayServe: (accountId) => isOffered(accountId) || own.has(accountId),
    async token(accountId) {
      if (isStopped(accountId)) return null;
      return (await offered.token(accountId)) ?? own.token(accountId);
    },
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
