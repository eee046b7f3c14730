import type { WatchState } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Seal } from "../cluster/seal.ts";
import type { Log } from "../ports/log.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import type { Store } from "../store/store.ts";
import { createListeners } from "../streams/listeners.ts";
import type { UpstreamClient } from "./client.ts";
import { createOwnSessions, type OwnSessions } from "./own-sessions.ts";
import { createRelaySessions, type RelaySessions } from "./relay-session.ts";

/** The relay's sessions of both kinds, for the accounts whose owners are on this node (CRED-1 a, b). */
export interface AccountSessions
  extends Omit<RelaySessions, "possible">,
    Pick<OwnSessions, "load" | "adopt" | "settled"> {
  state(accountId: string): WatchState;
  /** "Stop watching my farm": holds until it is started again, in front of a plain API by signing in. */
  stop(accountId: string): Promise<void>;
  /** Only where the API has sessions for relays: a plain one has to be signed in to. */
  start(accountId: string): Promise<void>;
  passwordChanged(accountId: string): Promise<void>;
  /** Told when a session ended by itself. Returns how to stop. */
  onEnded(listener: (accountId: string) => void): () => void;
  /** Told when the API says that there is no such account any more. Returns how to stop. */
  onGone(listener: (accountId: string) => void): () => void;
  /** Told when the API says that the account is disabled. Returns how to stop. */
  onDisabled(listener: (accountId: string) => void): () => void;
  /** No credential of the account was accepted for a poll. */
  refused(accountId: string): void;
  onRefused(listener: (accountId: string) => void): () => void;
}

export interface AccountSessionsParts {
  readonly client: UpstreamClient;
  readonly capabilities: CapabilitySource;
  readonly store: Pick<Store, "sessions" | "shards">;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** `RELAY_KEY` */
  readonly key: string | undefined;
  readonly reachable: () => boolean;
}

export function createAccountSessions(parts: AccountSessionsParts): AccountSessions {
  const ended = createListeners<string>((error) => parts.log.error({ err: error }, "the end of a session"));
  const gone = createListeners<string>((error) => parts.log.error({ err: error }, "the end of an account"));
  const disabled = createListeners<string>((error) =>
    parts.log.error({ err: error }, "a listener of disabled accounts failed"),
  );
  const refused = createListeners<string>((error) =>
    parts.log.error({ err: error }, "a listener of refused accounts failed"),
  );
  const offered = createRelaySessions({ ...parts, onGone: gone.call, onDisabled: disabled.call });
  const own = createOwnSessions({ ...parts, onEnded: ended.call });
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
