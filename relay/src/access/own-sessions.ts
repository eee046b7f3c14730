import { type LoginBody, refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { accountLogin, tokenRefresh } from "@mulkko/shared/rest/operations/account";
import type { WatchEnd } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";
import type { Log } from "../runtime/log.ts";
import { putSingle, removed } from "../store/collections.ts";
import { notPersisted } from "../store/errors.ts";
import { shardOf } from "../store/shard.ts";
import type { Store } from "../store/store.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { UpstreamError, UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import { tokenEnd } from "./token-end.ts";
import { accountOf } from "./token-prover.ts";
import {
  encryptSession,
  endedSession,
  openSession,
  SESSIONS,
  type SessionPair,
  type StoredSession,
  type TokenCipher,
} from "./vault.ts";

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

/**
 * The relay's own sessions at a plain API, created when a user signed in (CRED-1 b). They are stored
 * encrypted. Only an account's owner on this node may call these methods.
 *
 * | an account's session | becomes | by |
 * | --- | --- | --- |
 * | none, ended | pair | `adopt`: a user signed in |
 * | pair | pair | a refresh before its end, or after a 401 (`forget`) |
 * | pair | ended: `refused` | the API refuses the refresh token, and no other node has stored a newer one |
 * | any | ended: why | `end`: the owner of the farm, another password |
 * | ended | none | `clear` |
 */
export class OwnSessions {
  readonly #deps: OwnSessionsDeps;
  readonly #held = new LRUCache<string, Held>({ max: REMEMBERED_AT_MOST });
  readonly #refreshing = new Map<string, Promise<string | null>>();

  constructor(deps: OwnSessionsDeps) {
    this.#deps = deps;
  }

  /** Read the account's stored session when its owner starts: a previous owner may have stored other tokens. */
  async load(accountId: string): Promise<void> {
    await this.settled(accountId);
    const before = this.#held.get(accountId);
    if (before?.unsaved) return;
    const stored = await this.#readStore(accountId);
    if (this.#held.get(accountId) !== before) return;
    if (stored === null) this.#held.delete(accountId);
    else if (stored.kind === "ended" && stored.why === "secret-lost") {
      this.#deps.log.warn(
        { event: "session-secret-lost", account: accountId },
        "dropped session encrypted with another RELAY_SECRET, sign in again",
      );
      await this.#replace(accountId, stored);
    } else this.#hold(accountId, stored, false);
  }

  /** Replace the session by one that was just created. */
  adopt(accountId: string, pair: SessionPair): Promise<void> {
    return this.#replace(accountId, pair);
  }

  /** End the session, and store the reason. */
  end(accountId: string, why: WatchEnd): Promise<void> {
    return this.#replace(accountId, endedSession(why));
  }

  /** Remove the stored reason. */
  async clear(accountId: string): Promise<void> {
    this.#held.delete(accountId);
    await this.#deps.store.documents(accountId).write([removed(SESSIONS)]);
  }

  /** True while there is a session that was not refused. */
  has(accountId: string): boolean {
    return this.#held.get(accountId)?.session.kind === "pair";
  }

  /** Return why the session ended; null if there is one, or never was. */
  ended(accountId: string): WatchEnd | null {
    const session = this.#held.get(accountId)?.session;
    return session?.kind === "ended" ? session.why : null;
  }

  /**
   * Return an access token, refreshed before its end; null without a session. Rejects while the API is
   * unavailable.
   */
  async token(accountId: string): Promise<string | null> {
    const entry = this.#held.get(accountId);
    if (entry === undefined || entry.session.kind !== "pair") return null;
    if (entry.unsaved) await this.#save(accountId, entry);
    const pair = entry.session;
    if (!entry.stale && this.#deps.clock.now() < freshUntil(pair)) return pair.accessToken;
    const running = this.#refreshing.get(accountId);
    if (running) return running;
    const next = this.#refresh(accountId, entry, pair).finally(() => this.#refreshing.delete(accountId));
    this.#refreshing.set(accountId, next);
    return next;
  }

  /** The API answered 401 to the access token: refresh before the next use. */
  forget(accountId: string, token: string): void {
    const entry = this.#held.get(accountId);
    if (entry?.session.kind === "pair" && entry.session.accessToken === token) entry.stale = true;
  }

  /** Resolves when no refresh of the account is in progress. */
  async settled(accountId: string): Promise<void> {
    await this.#refreshing.get(accountId)?.catch(() => null);
  }

  #hold(accountId: string, session: StoredSession, unsaved: boolean): Held {
    const entry = {
      ...{ session, stale: false, unsaved },
      ...{ againAt: Number.NEGATIVE_INFINITY, pause: AGAIN_FIRST_MS, doubtedSince: null },
    };
    this.#held.set(accountId, entry);
    return entry;
  }

  /** Save tokens; tokens that could not be stored are used all the same, and stored when the store is back. */
  async #save(accountId: string, entry: Held): Promise<void> {
    const { store, cipher, log } = this.#deps;
    try {
      await store.documents(accountId).write([putSingle(SESSIONS, encryptSession(cipher, entry.session))]);
      entry.unsaved = false;
    } catch (error) {
      entry.unsaved = true;
      const fields = { event: "session-not-stored", account: accountId };
      notPersisted(log, "warn", fields, "failed to store the relay's own session, will retry")(error);
    }
  }

  #replace(accountId: string, session: StoredSession): Promise<void> {
    return this.#save(accountId, this.#hold(accountId, session, true));
  }

  async #endedBy(accountId: string, why: WatchEnd): Promise<null> {
    this.#deps.log.warn(
      { event: "session-ended", account: accountId, why },
      "the relay's own session ended, farm no longer watched",
    );
    await this.#replace(accountId, endedSession(why));
    this.#deps.onEnded(accountId);
    return null;
  }

  async #readStore(accountId: string): Promise<StoredSession | null> {
    const encrypted = await this.#deps.store.documents(accountId).single(SESSIONS);
    return encrypted?.ok ? openSession(this.#deps.cipher, encrypted.value) : null;
  }

  /**
   * Handle a refused refresh. Refresh tokens rotate: the previous owner may have stored new ones while this
   * one read the old.
   */
  async #refusedWith(accountId: string, entry: Held, used: SessionPair): Promise<string | null> {
    const stored = await this.#readStore(accountId);
    if (this.#held.get(accountId) !== entry) return null;
    if (stored?.kind === "pair" && stored.refreshToken !== used.refreshToken) {
      this.#hold(accountId, stored, false);
      return stored.accessToken;
    }
    return this.#endedBy(accountId, "refused");
  }

  /** Return true for an answer by which the API refuses the refresh token for good. */
  #isRefusal(error: unknown, entry: Held): boolean {
    const { clock } = this.#deps;
    if (!(error instanceof UpstreamStatusError)) return false;
    if (OF_THE_TOKEN.has(error.status)) return true;
    if (!PERHAPS_OF_THE_TOKEN.has(error.status)) {
      entry.doubtedSince = null;
      return false;
    }
    entry.doubtedSince ??= clock.monotonic();
    return clock.monotonic() - entry.doubtedSince >= BELIEVED_AFTER_MS;
  }

  #isStillGood(entry: Held, pair: SessionPair): boolean {
    return !entry.stale && this.#deps.clock.now() < pair.expiresAt;
  }

  async #refresh(accountId: string, entry: Held, pair: SessionPair): Promise<string | null> {
    const { client, clock, store, upstreamClock, reachable } = this.#deps;
    const { refreshToken } = pair;
    if (refreshToken === null) {
      return this.#isStillGood(entry, pair) ? pair.accessToken : this.#endedBy(accountId, "refused");
    }
    if (!reachable() || clock.monotonic() < entry.againAt) {
      if (this.#isStillGood(entry, pair)) return pair.accessToken;
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
      const next = sessionPairOf(answer, clock, upstreamClock, refreshToken);
      // The session was ended or replaced meanwhile, which takes precedence.
      if (this.#held.get(accountId) !== entry) return null;
      await this.#replace(accountId, next);
      return next.accessToken;
    } catch (error) {
      if (this.#held.get(accountId) !== entry) return null;
      if (this.#isRefusal(error, entry)) return this.#refusedWith(accountId, entry, pair);
      const asked = error instanceof UpstreamStatusError ? (error.retryAfterMs ?? 0) : 0;
      entry.againAt = clock.monotonic() + Math.max(entry.pause, asked);
      entry.pause = Math.min(AGAIN_LAST_MS, entry.pause * 2);
      if (this.#isStillGood(entry, pair)) return pair.accessToken;
      throw error;
    }
  }
}

/**
 * Sign the relay in with a user's credentials (CRED-1 b). Resolves when the user's own login may proceed:
 * after success or failure, and within a few seconds. Resolves to the refusal if the API rejects name and
 * password, so that they need not be tried again. Never rejects.
 *
 * @param headers origin headers of the login, as for the user's own
 */
export type OwnSignIn = (
  login: LoginBody,
  headers: Readonly<Record<string, string>>,
) => Promise<UpstreamStatusError | null>;

interface OwnSignInDeps {
  readonly client: UpstreamClient;
  readonly capabilities: Pick<CapabilitySource, "has">;
  readonly clock: Clock;
  readonly upstreamClock: Pick<UpstreamClock, "offsetMs">;
  readonly log: Log;
  /** False while the API is known to be unavailable. */
  readonly reachable: () => boolean;
  /** Pass the tokens to the account's owner. */
  readonly signedIn: (accountId: string, pair: SessionPair) => Promise<void>;
}

/** Maximum time that a user's login waits for the relay's own, ms. */
const SIGN_IN_MS = 3_000;
/** Upper bound of concurrent sign-ins of the relay; further logins proceed without one. */
const SIGN_INS_AT_ONCE = 32;

/** Statuses by which an API refuses name and password. */
const REFUSED = new Set([400, 401, 403, 422, 423]);

/** Return a loggable reason without credentials: the error of a login itself is never logged. */
const reasonOf = (error: unknown): object =>
  error instanceof UpstreamError ? { reason: error.name, status: error.status } : { reason: "unexpected" };

export function createOwnSignIn(deps: OwnSignInDeps): OwnSignIn {
  const { client, capabilities, clock, upstreamClock, log, signedIn } = deps;
  let underWay = 0;

  /** Only the API knows the account of the session. */
  const handOver = async (pair: SessionPair): Promise<void> => {
    const { accessToken: token } = pair;
    const account = await accountOf(client, token);
    await signedIn(String(account.id), pair);
  };
  const failed = (error: unknown): void =>
    log.warn(
      { event: "own-sign-in-failed", ...reasonOf(error) },
      "failed to sign the relay in, farm may not be watched",
    );

  return async ({ username, password }, headers) => {
    if (capabilities.has("relay-session") || !deps.reachable() || underWay >= SIGN_INS_AT_ONCE) return null;
    underWay += 1;
    try {
      const answer = await client.send(accountLogin, TokenPair, {
        query: { username, password },
        headers,
        limits: { ms: SIGN_IN_MS },
        unit: "sign-in",
      });
      handOver(sessionPairOf(answer, clock, upstreamClock)).catch(failed);
      return null;
    } catch (error) {
      failed(error);
      return error instanceof UpstreamStatusError && REFUSED.has(error.status) ? error : null;
    } finally {
      underWay -= 1;
    }
  };
}
