import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { WatchEnd } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Seal } from "../cluster/seal.ts";
import type { Log } from "../ports/log.ts";
import { logUnkept } from "../store/log-unkept.ts";
import { shardOf } from "../store/shard.ts";
import type { Store } from "../store/store.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";
import { jwtExpiry } from "./jwt-expiry.ts";
import {
  endedSession,
  type KeptSession,
  openSession,
  type SessionPair,
  sealSession,
} from "./kept-session.ts";

/**
 * The relay's own sessions at a plain API, made when somebody signed in (CRED-1 b). They are kept sealed in the
 * store; here is what the owners on this node use of them. Only an account's owner may call what is here.
 */
export interface OwnSessions {
  /** Reads what is kept of the account, as its owner begins: another owner may have left other tokens. */
  load(accountId: string): Promise<void>;
  /** A session that was just made takes the place of the one before. */
  adopt(accountId: string, pair: SessionPair): Promise<void>;
  /** Ends the session, and keeps why. */
  end(accountId: string, why: WatchEnd): Promise<void>;
  /** Forgets why it ended. */
  clear(accountId: string): Promise<void>;
  /** True while there is a session that nothing has refused. */
  has(accountId: string): boolean;
  /** Why there is none any more; null where there is one, or never was. */
  ended(accountId: string): WatchEnd | null;
  /** An access token, refreshed ahead of its end; null where there is none. Rejects while the API is away. */
  token(accountId: string): Promise<string | null>;
  /** The API answered 401 to the access token: the next one is asked for by a refresh. */
  forget(accountId: string, token: string): void;
  /** Resolves when no refresh of the account's is under way. */
  settled(accountId: string): Promise<void>;
}

export interface OwnSessionsParts {
  readonly client: UpstreamClient;
  readonly store: Pick<Store, "sessions" | "shards">;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** False while the API is known to be away: nothing is refreshed then. */
  readonly reachable: () => boolean;
  /** Told when a session ends without having been asked to. */
  readonly onEnded: (accountId: string) => void;
}

/** ms that an access token without an end of its own is good for (AUTH-1). */
const WITHOUT_EXPIRY_MS = 1_800_000;
/** ms before its end at which an access token is refreshed; of a short one, the last quarter. */
const AHEAD_MS = 60_000;
const AHEAD_SHARE = 0.25;
/** ms until a refresh that had no answer is tried again: this, then twice as long, up to the last. */
const AGAIN_FIRST_MS = 5_000;
const AGAIN_LAST_MS = 300_000;
/** Sessions that are remembered at most, twice the accounts at work; those in use are renewed with each refresh. */
const REMEMBERED_AT_MOST = 20_000;

interface Held {
  readonly session: KeptSession;
  /** The API has refused the access token before its end. */
  stale: boolean;
  /** The store does not have it yet. */
  unsaved: boolean;
  /** Not refreshed before, ms UTC, and how long the next pause is. */
  againAt: number;
  pause: number;
}

/** What an API answered to a login or a refresh, as it is kept. */
export function sessionPairOf(pair: TokenPair, now: number, before: string | null = null): SessionPair {
  const { accessToken } = pair;
  return {
    kind: "pair",
    accessToken,
    refreshToken: refreshTokenOf(pair) ?? before,
    issuedAt: now,
    expiresAt: jwtExpiry(accessToken) ?? now + WITHOUT_EXPIRY_MS,
  };
}

const freshUntil = ({ issuedAt, expiresAt }: SessionPair): number =>
  expiresAt - Math.min(AHEAD_MS, (expiresAt - issuedAt) * AHEAD_SHARE);

export function createOwnSessions(parts: OwnSessionsParts): OwnSessions {
  const { client, store, seal, clock, log } = parts;
  const held = new Map<string, Held>();
  const refreshing = new Map<string, Promise<string | null>>();

  const hold = (accountId: string, session: KeptSession, unsaved: boolean): Held => {
    const entry = { session, stale: false, unsaved, againAt: 0, pause: AGAIN_FIRST_MS };
    held.delete(accountId);
    held.set(accountId, entry);
    const oldest = held.keys().next().value;
    if (held.size > REMEMBERED_AT_MOST && oldest !== undefined) held.delete(oldest);
    return entry;
  };
  /** Tokens that could not be kept are used all the same, and kept when the store is back. */
  const save = async (accountId: string, entry: Held): Promise<void> => {
    try {
      await store.sessions.put(accountId, sealSession(seal, entry.session));
      entry.unsaved = false;
    } catch (error) {
      entry.unsaved = true;
      logUnkept(
        log,
        "warn",
        { err: error, account: accountId },
        "the relay's own session could not be kept yet",
      );
    }
  };
  const replace = (accountId: string, session: KeptSession): Promise<void> =>
    save(accountId, hold(accountId, session, true));
  const endedBy = async (accountId: string, why: WatchEnd): Promise<null> => {
    log.warn(
      { account: accountId, why },
      "the relay's own session is over: the farm is not watched any more",
    );
    await replace(accountId, endedSession(why));
    parts.onEnded(accountId);
    return null;
  };
  const readStore = async (accountId: string): Promise<KeptSession | null> => {
    const sealed = await store.sessions.get(accountId);
    return sealed === null ? null : openSession(seal, sealed);
  };
  const settled = async (accountId: string): Promise<void> => {
    await refreshing.get(accountId)?.catch(() => null);
  };

  /** Refresh tokens rotate: the owner before may have taken new ones just as this one read the old. */
  const refusedWith = async (accountId: string, entry: Held, used: SessionPair): Promise<string | null> => {
    const kept = await readStore(accountId);
    if (held.get(accountId) !== entry) return null;
    if (kept?.kind === "pair" && kept.refreshToken !== used.refreshToken) {
      hold(accountId, kept, false);
      return kept.accessToken;
    }
    return endedBy(accountId, "refused");
  };
  const stillGood = (entry: Held, pair: SessionPair): boolean => !entry.stale && clock.now() < pair.expiresAt;

  const refresh = async (accountId: string, entry: Held, pair: SessionPair): Promise<string | null> => {
    const { refreshToken } = pair;
    if (refreshToken === null) {
      return stillGood(entry, pair) ? pair.accessToken : endedBy(accountId, "refused");
    }
    if (!parts.reachable() || clock.now() < entry.againAt) {
      if (stillGood(entry, pair)) return pair.accessToken;
      throw new UpstreamUnreachableError("The relay's own session waits to be refreshed", "not-asked", {
        mayHaveExecuted: false,
      });
    }
    // The lease is read again: two nodes that use one refresh token would lose the session for both.
    if (!(await store.shards.confirm(shardOf(accountId)))) return null;
    try {
      const answer = await client.put(apiPath.refresh, TokenPair, {
        headers: { refreshToken },
        unit: "refresh-session",
      });
      const next = sessionPairOf(answer, clock.now(), refreshToken);
      // It was ended, or another was made, meanwhile: that counts.
      if (held.get(accountId) !== entry) return null;
      await replace(accountId, next);
      return next.accessToken;
    } catch (error) {
      if (held.get(accountId) !== entry) return null;
      const isRefused = error instanceof UpstreamStatusError && !error.temporary;
      if (isRefused) return refusedWith(accountId, entry, pair);
      const asked = error instanceof UpstreamStatusError ? (error.retryAfterMs ?? 0) : 0;
      entry.againAt = clock.now() + Math.max(entry.pause, asked);
      entry.pause = Math.min(AGAIN_LAST_MS, entry.pause * 2);
      if (stillGood(entry, pair)) return pair.accessToken;
      throw error;
    }
  };

  return {
    async load(accountId) {
      await settled(accountId);
      const before = held.get(accountId);
      if (before?.unsaved) return;
      const kept = await readStore(accountId);
      if (held.get(accountId) !== before) return;
      if (kept === null) held.delete(accountId);
      else if (kept.kind === "ended" && kept.why === "secret-lost") {
        log.warn(
          { account: accountId },
          "a session was sealed with another RELAY_SECRET and is dropped: somebody has to sign in again",
        );
        await replace(accountId, kept);
      } else hold(accountId, kept, false);
    },
    adopt: replace,
    async end(accountId, why) {
      await replace(accountId, endedSession(why));
    },
    async clear(accountId) {
      held.delete(accountId);
      await store.sessions.drop(accountId);
    },
    has: (accountId) => held.get(accountId)?.session.kind === "pair",
    ended(accountId) {
      const session = held.get(accountId)?.session;
      return session?.kind === "ended" ? session.why : null;
    },
    async token(accountId) {
      const entry = held.get(accountId);
      if (entry === undefined || entry.session.kind !== "pair") return null;
      if (entry.unsaved) await save(accountId, entry);
      const pair = entry.session;
      if (!entry.stale && clock.now() < freshUntil(pair)) return pair.accessToken;
      const running = refreshing.get(accountId);
      if (running) return running;
      const next = refresh(accountId, entry, pair).finally(() => refreshing.delete(accountId));
      refreshing.set(accountId, next);
      return next;
    },
    forget(accountId, token) {
      const entry = held.get(accountId);
      if (entry?.session.kind === "pair" && entry.session.accessToken === token) entry.stale = true;
    },
    settled,
  };
}
