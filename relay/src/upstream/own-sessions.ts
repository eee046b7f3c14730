import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { tokenRefresh } from "@mulkko/shared/rest/operations/account";
import type { WatchEnd } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";
import type { Log } from "../runtime/log.ts";
import { putSingle, removed } from "../store/collections.ts";
import { notPersisted } from "../store/errors.ts";
import { shardOf } from "../store/shard.ts";
import type { Store } from "../store/store.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";
import {
  encryptSession,
  endedSession,
  openSession,
  SESSIONS,
  type SessionPair,
  type StoredSession,
} from "./stored-session.ts";
import type { TokenCipher } from "./token-cipher.ts";
import { tokenEnd } from "./token-end.ts";
import type { UpstreamClock } from "./upstream-clock.ts";

/**
 * The relay's own sessions at a plain API, created when a user signed in (CRED-1 b). They are stored
 * encrypted. Only an account's owner on this node may call these methods.
 */
export interface OwnSessions {
  /**
   * Read the account's stored session when its owner starts: a previous owner may have stored other tokens.
   */
  load(accountId: string): Promise<void>;
  /** Replace the session by one that was just created. */
  adopt(accountId: string, pair: SessionPair): Promise<void>;
  /** End the session, and store the reason. */
  end(accountId: string, why: WatchEnd): Promise<void>;
  /** Remove the stored reason. */
  clear(accountId: string): Promise<void>;
  /** True while there is a session that was not refused. */
  has(accountId: string): boolean;
  /** Return why the session ended; null if there is one, or never was. */
  ended(accountId: string): WatchEnd | null;
  /**
   * Return an access token, refreshed before its end; null without a session. Rejects while the API is
   * unavailable.
   */
  token(accountId: string): Promise<string | null>;
  /** The API answered 401 to the access token: refresh before the next use. */
  forget(accountId: string, token: string): void;
  /** Resolves when no refresh of the account is in progress. */
  settled(accountId: string): Promise<void>;
}

export interface OwnSessionsDeps {
  readonly client: UpstreamClient;
  readonly store: Pick<Store, "documents" | "shards">;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly upstreamClock: Pick<UpstreamClock, "offsetMs">;
  readonly log: Log;
  /** False while the API is known to be unavailable: nothing is refreshed then. */
  readonly reachable: () => boolean;
  /** Called when a session ends without a request. */
  readonly onEnded: (accountId: string) => void;
}

/** ms before its end at which an access token is refreshed; a short one in its last quarter. */
const AHEAD_MS = 60_000;
const AHEAD_SHARE = 0.25;
/** First delay after a refresh without an answer, ms; it doubles up to the maximum. */
const AGAIN_FIRST_MS = 5_000;
const AGAIN_LAST_MS = 300_000;
/** Answers about the refresh token itself. Any other one leaves the session: its token may be good. */
const OF_THE_TOKEN: ReadonlySet<number> = new Set([400, 401, 403, 422]);
/**
 * Answers about the token, or about a call that a proxy does not know while the API is replaced behind it. They
 * count once they have come for so many ms.
 */
const PERHAPS_OF_THE_TOKEN: ReadonlySet<number> = new Set([404, 410]);
const BELIEVED_AFTER_MS = 600_000;
/** Upper bound of remembered sessions, twice the active accounts; a refresh renews the entry. */
const REMEMBERED_AT_MOST = 20_000;

interface Held {
  readonly session: StoredSession;
  /** The API has refused the access token before its end. */
  stale: boolean;
  /** The session is not in the store yet. */
  unsaved: boolean;
  /** Earliest time of the next refresh, on the monotonic clock, and the length of the following pause, ms. */
  againAt: number;
  pause: number;
  /** Time of the first answer in a row that may be about the token, on the monotonic clock, ms; null without one. */
  doubtedSince: number | null;
}

/** Convert an API's answer to a login or a refresh to its stored form. */
export function sessionPairOf(
  pair: TokenPair,
  clock: Pick<Clock, "now">,
  upstreamClock: Pick<UpstreamClock, "offsetMs">,
  before: string | null = null,
): SessionPair {
  const { accessToken } = pair;
  return {
    kind: "pair",
    accessToken,
    refreshToken: refreshTokenOf(pair) ?? before,
    issuedAt: clock.now(),
    expiresAt: tokenEnd(accessToken, clock, upstreamClock),
  };
}

const freshUntil = ({ issuedAt, expiresAt }: SessionPair): number =>
  expiresAt - Math.min(AHEAD_MS, (expiresAt - issuedAt) * AHEAD_SHARE);

export function createOwnSessions(deps: OwnSessionsDeps): OwnSessions {
  const { client, store, cipher, clock, log } = deps;
  const held = new LRUCache<string, Held>({ max: REMEMBERED_AT_MOST });
  const refreshing = new Map<string, Promise<string | null>>();

  const hold = (accountId: string, session: StoredSession, unsaved: boolean): Held => {
    const entry = {
      ...{ session, stale: false, unsaved },
      ...{ againAt: Number.NEGATIVE_INFINITY, pause: AGAIN_FIRST_MS, doubtedSince: null },
    };
    held.set(accountId, entry);
    return entry;
  };
  /**
   * Save tokens; tokens that could not be stored are used all the same, and stored when the store is back.
   */
  const save = async (accountId: string, entry: Held): Promise<void> => {
    try {
      await store.documents(accountId).write([putSingle(SESSIONS, encryptSession(cipher, entry.session))]);
      entry.unsaved = false;
    } catch (error) {
      entry.unsaved = true;
      const fields = { event: "session-not-stored", account: accountId };
      notPersisted(log, "warn", fields, "failed to store the relay's own session, will retry")(error);
    }
  };
  const replace = (accountId: string, session: StoredSession): Promise<void> =>
    save(accountId, hold(accountId, session, true));
  const endedBy = async (accountId: string, why: WatchEnd): Promise<null> => {
    log.warn(
      { event: "session-ended", account: accountId, why },
      "the relay's own session ended, farm no longer watched",
    );
    await replace(accountId, endedSession(why));
    deps.onEnded(accountId);
    return null;
  };
  const readStore = async (accountId: string): Promise<StoredSession | null> => {
    const encrypted = await store.documents(accountId).single(SESSIONS);
    return encrypted?.ok ? openSession(cipher, encrypted.value) : null;
  };
  const settled = async (accountId: string): Promise<void> => {
    await refreshing.get(accountId)?.catch(() => null);
  };

  /**
   * Handle a refused refresh. Refresh tokens rotate: the previous owner may have stored new ones while this
   * one read the old.
   */
  const refusedWith = async (accountId: string, entry: Held, used: SessionPair): Promise<string | null> => {
    const kept = await readStore(accountId);
    if (held.get(accountId) !== entry) return null;
    if (kept?.kind === "pair" && kept.refreshToken !== used.refreshToken) {
      hold(accountId, kept, false);
      return kept.accessToken;
    }
    return endedBy(accountId, "refused");
  };
  /** Return true for an answer by which the API refuses the refresh token for good. */
  const isRefusal = (error: unknown, entry: Held): boolean => {
    if (!(error instanceof UpstreamStatusError)) return false;
    if (OF_THE_TOKEN.has(error.status)) return true;
    if (!PERHAPS_OF_THE_TOKEN.has(error.status)) {
      entry.doubtedSince = null;
      return false;
    }
    entry.doubtedSince ??= clock.monotonic();
    return clock.monotonic() - entry.doubtedSince >= BELIEVED_AFTER_MS;
  };
  const stillGood = (entry: Held, pair: SessionPair): boolean => !entry.stale && clock.now() < pair.expiresAt;

  const refresh = async (accountId: string, entry: Held, pair: SessionPair): Promise<string | null> => {
    const { refreshToken } = pair;
    if (refreshToken === null) {
      return stillGood(entry, pair) ? pair.accessToken : endedBy(accountId, "refused");
    }
    if (!deps.reachable() || clock.monotonic() < entry.againAt) {
      if (stillGood(entry, pair)) return pair.accessToken;
      throw new UpstreamUnreachableError("The refresh of the relay's own session is delayed", "not-asked", {
        mayHaveExecuted: false,
      });
    }
    // Confirm the lease again: two nodes that use one refresh token would both lose the session.
    if (!(await store.shards.confirm(shardOf(accountId)))) return null;
    try {
      const answer = await client.send(tokenRefresh, TokenPair, {
        headers: { refreshToken },
        unit: "refresh-session",
      });
      const next = sessionPairOf(answer, clock, deps.upstreamClock, refreshToken);
      // The session was ended or replaced meanwhile, which takes precedence.
      if (held.get(accountId) !== entry) return null;
      await replace(accountId, next);
      return next.accessToken;
    } catch (error) {
      if (held.get(accountId) !== entry) return null;
      if (isRefusal(error, entry)) return refusedWith(accountId, entry, pair);
      const asked = error instanceof UpstreamStatusError ? (error.retryAfterMs ?? 0) : 0;
      entry.againAt = clock.monotonic() + Math.max(entry.pause, asked);
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
          { event: "session-secret-lost", account: accountId },
          "dropped session encrypted with another RELAY_SECRET, sign in again",
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
      await store.documents(accountId).write([removed(SESSIONS)]);
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
