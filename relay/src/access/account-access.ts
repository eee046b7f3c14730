import { RelaySession } from "@mulkko/shared/rest/account";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import type { WatchState } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";
import type { UpstreamClient } from "../upstream/client.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import type { RelayKey } from "../upstream/relay-key.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import type { AccessEnds } from "./access-ends.ts";
import { OwnSessions, type OwnSessionsDeps } from "./own-sessions.ts";
import { tokenEnd } from "./token-end.ts";
import type { SessionPair } from "./vault.ts";

/** Assumed lifetime of a session without a stated end, ms; the contract specifies ten minutes. */
const LIFETIME_MS = 600_000;
/** ms before its end at which a session is renewed. */
const AHEAD_MS = 60_000;
/** Delay before a refused account is tried again, ms. */
const REFUSED_MS = 60_000;

/** Upper bound of remembered sessions; an evicted one is created again on demand. */
const REMEMBERED_AT_MOST = 20_000;

interface Session {
  readonly token: string | null;
  /** On the monotonic clock, ms. */
  readonly until: number;
}

interface RelaySessionsDeps {
  readonly client: Pick<UpstreamClient, "send">;
  readonly relayKey: RelayKey;
  readonly clock: Clock;
  readonly upstreamClock: Pick<UpstreamClock, "offsetMs">;
  /** Called each time the API reports that the account no longer exists. */
  readonly onGone?: (accountId: string) => void;
  /** Called each time the API reports that the account is disabled. */
  readonly onDisabled?: (accountId: string) => void;
}

/** The relay's own sessions at an API with `relay-session` (CRED-1 a): made on demand, and kept for their ten minutes. */
export class RelaySessions {
  readonly #deps: RelaySessionsDeps;
  readonly #sessions = new LRUCache<string, Session>({ max: REMEMBERED_AT_MOST });
  readonly #underWay = new Map<string, Promise<string | null>>();
  /** Counter of doubts: a session requested before a doubt is not remembered after it. */
  #doubts = 0;

  constructor(deps: RelaySessionsDeps) {
    this.#deps = deps;
  }

  /** True if the API offers them and the relay has the key. */
  get possible(): boolean {
    return this.#key !== undefined;
  }

  /** True unless the API offers no sessions, or refused the last request for this account. */
  mayServe(accountId: string): boolean {
    return this.#key !== undefined && this.#sessions.get(accountId)?.token !== null;
  }

  /**
   * Return a token for the account, created on demand; null if there can be none. Rejects while the API is
   * unavailable.
   */
  async token(accountId: string): Promise<string | null> {
    const key = this.#key;
    if (key === undefined) return null;
    const known = this.#sessions.get(accountId);
    if (known && known.until > this.#deps.clock.monotonic()) return known.token;
    const running = this.#underWay.get(accountId);
    if (running) return running;
    const made = this.#make(accountId, key).finally(() => {
      if (this.#underWay.get(accountId) === made) this.#underWay.delete(accountId);
    });
    this.#underWay.set(accountId, made);
    return made;
  }

  forget(accountId: string, token: string): void {
    if (this.#sessions.get(accountId)?.token === token) this.#sessions.delete(accountId);
  }

  /** Ask for a new session the next time: the account may have been deleted, disabled or restored. */
  doubt(accountId: string): void {
    this.#doubts += 1;
    this.#sessions.delete(accountId);
    this.#underWay.delete(accountId);
  }

  get #key(): string | undefined {
    return this.#deps.relayKey("relay-session");
  }

  async #make(accountId: string, key: string): Promise<string | null> {
    const { client, clock, upstreamClock, onGone, onDisabled } = this.#deps;
    const before = this.#doubts;
    const remember = (session: Session): void => {
      if (this.#doubts === before) this.#sessions.set(accountId, session);
    };
    try {
      const { accessToken } = await client.send(relaySession, RelaySession, {
        headers: { relayKey: key },
        json: { userId: accountId },
        unit: "relay-session",
      });
      const leftMs = tokenEnd(accessToken, clock, upstreamClock, LIFETIME_MS) - clock.now();
      remember({ token: accessToken, until: clock.monotonic() + leftMs - AHEAD_MS });
      return accessToken;
    } catch (error) {
      // Refused for this account or this key: its viewers' tokens may still work.
      if (!(error instanceof UpstreamStatusError) || error.temporary) throw error;
      remember({ token: null, until: clock.monotonic() + REFUSED_MS });
      if (error.status === 404 && error.code === "not-found") onGone?.(accountId);
      if (error.status === 403 && error.code === "account-disabled") onDisabled?.(accountId);
      return null;
    }
  }
}

export interface AccountAccessDeps extends Omit<OwnSessionsDeps, "onEnded"> {
  readonly relayKey: RelayKey;
  readonly ends: Pick<AccessEnds, "end">;
}

/**
 * The door to what the relay may use by itself for an account whose owner is on this node: its sessions of both kinds
 * (CRED-1 a, b). Beside them an account has the tokens of its viewers (`credentials.ts`).
 *
 * ```
 *              relay key                       a sign-in
 *    relay session ◀──────── none ────────▶ own session ──┐ refused, another password,
 *          │  refused, gone    ▲ │                        │ another RELAY_SECRET
 *          └───────────────────┘ └──────▶ ended(why) ◀────┘
 *                                  stop        │ start (with a relay key), a sign-in
 *                    none, own session ◀───────┘
 * ```
 */
export class AccountAccess {
  readonly #offered: RelaySessions;
  readonly #own: OwnSessions;
  readonly #ends: Pick<AccessEnds, "end">;

  constructor({ ends, ...deps }: AccountAccessDeps) {
    this.#ends = ends;
    const end = (kind: "gone" | "disabled" | "session-refused") => (accountId: string) =>
      ends.end({ kind, accountId });
    this.#offered = new RelaySessions({ ...deps, onGone: end("gone"), onDisabled: end("disabled") });
    this.#own = new OwnSessions({ ...deps, onEnded: end("session-refused") });
  }

  /** Read the account's stored session when its owner starts: a previous owner may have stored other tokens. */
  load(accountId: string): Promise<void> {
    return this.#own.load(accountId);
  }

  /** Replace the session of a sign-in by one that was just created. */
  adopt(accountId: string, pair: SessionPair): Promise<void> {
    return this.#own.adopt(accountId, pair);
  }

  /** Resolves when no refresh of the account is in progress. */
  settled(accountId: string): Promise<void> {
    return this.#own.settled(accountId);
  }

  /** True if there is a session, or may be one. */
  mayServe(accountId: string): boolean {
    return this.#isOffered(accountId) || this.#own.has(accountId);
  }

  /** Return an access token; null if there can be none. Rejects while the API is unavailable. */
  async token(accountId: string): Promise<string | null> {
    if (this.#isStopped(accountId)) return null;
    return (await this.#offered.token(accountId)) ?? this.#own.token(accountId);
  }

  /** The API answered 401 to the token. */
  forget(accountId: string, token: string): void {
    this.#offered.forget(accountId, token);
    this.#own.forget(accountId, token);
  }

  /** Ask for a new session the next time: the account may have been deleted, disabled or restored. */
  doubt(accountId: string): void {
    this.#offered.doubt(accountId);
  }

  state(accountId: string): WatchState {
    const by = this.#isOffered(accountId) ? "relay-session" : this.#own.has(accountId) ? "sign-in" : "nobody";
    const why = by === "nobody" ? this.#own.ended(accountId) : null;
    return { by, ended: why, mayStart: this.#isStopped(accountId) && this.#offered.possible };
  }

  /** Stop watching the account until it is started again, or until the next sign-in with a plain API. */
  stop(accountId: string): Promise<void> {
    return this.#own.end(accountId, "stopped");
  }

  /** Start watching; possible only if the API has sessions for relays, because a plain API needs a sign-in. */
  async start(accountId: string): Promise<void> {
    if (this.#isStopped(accountId) && this.#offered.possible) await this.#own.clear(accountId);
  }

  async passwordChanged(accountId: string): Promise<void> {
    if (this.#own.has(accountId)) await this.#own.end(accountId, "password-changed");
  }

  /** Record that no credential of the account was accepted for a poll. */
  refused(accountId: string): void {
    this.#ends.end({ kind: "poll-refused", accountId });
  }

  #isStopped(accountId: string): boolean {
    return this.#own.ended(accountId) === "stopped";
  }

  #isOffered(accountId: string): boolean {
    return !this.#isStopped(accountId) && this.#offered.mayServe(accountId);
  }
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
