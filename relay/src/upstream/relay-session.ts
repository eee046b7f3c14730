import { RelaySession } from "@mulkko/shared/rest/account";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import type { Clock } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";
import type { UpstreamClient } from "./client.ts";
import { UpstreamStatusError } from "./errors.ts";
import type { RelayKey } from "./relay-key.ts";
import { tokenEnd } from "./token-end.ts";
import type { UpstreamClock } from "./upstream-clock.ts";

/** The relay's own sessions at an API with `relay-session` (CRED-1 a). */
export interface RelaySessions {
  /** True if the API offers them and the relay has the key. */
  readonly possible: boolean;
  /** True unless the API offers no sessions, or refused the last request for this account. */
  mayServe(accountId: string): boolean;
  /**
   * Return a token for the account, created on demand; null if there can be none. Rejects while the API is
   * unavailable.
   */
  token(accountId: string): Promise<string | null>;
  forget(accountId: string, token: string): void;
  /** Ask for a new session the next time: the account may have been deleted, disabled or restored. */
  doubt(accountId: string): void;
}

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

/**
 * @param deps.onGone called each time the API reports that the account no longer exists
 * @param deps.onDisabled called each time the API reports that the account is disabled
 */
export function createRelaySessions(deps: {
  client: UpstreamClient;
  relayKey: RelayKey;
  clock: Clock;
  upstreamClock: Pick<UpstreamClock, "offsetMs">;
  onGone?: (accountId: string) => void;
  onDisabled?: (accountId: string) => void;
}): RelaySessions {
  const { client, clock, upstreamClock, onGone, onDisabled } = deps;
  const sessions = new LRUCache<string, Session>({ max: REMEMBERED_AT_MOST });
  const underWay = new Map<string, Promise<string | null>>();

  /** Counter of doubts: a session requested before a doubt is not remembered after it. */
  let doubts = 0;

  const make = async (accountId: string, key: string): Promise<string | null> => {
    const before = doubts;
    const remember = (session: Session): void => {
      if (doubts === before) sessions.set(accountId, session);
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
  };
  const keyOf = (): string | undefined => deps.relayKey("relay-session");
  return {
    get possible() {
      return keyOf() !== undefined;
    },
    mayServe(accountId) {
      return keyOf() !== undefined && sessions.get(accountId)?.token !== null;
    },
    async token(accountId) {
      const key = keyOf();
      if (key === undefined) return null;
      const known = sessions.get(accountId);
      if (known && known.until > clock.monotonic()) return known.token;
      const running = underWay.get(accountId);
      if (running) return running;
      const made = make(accountId, key).finally(() => {
        if (underWay.get(accountId) === made) underWay.delete(accountId);
      });
      underWay.set(accountId, made);
      return made;
    },
    forget(accountId, token) {
      if (sessions.get(accountId)?.token === token) sessions.delete(accountId);
    },
    doubt(accountId) {
      doubts += 1;
      sessions.delete(accountId);
      underWay.delete(accountId);
    },
  };
}
