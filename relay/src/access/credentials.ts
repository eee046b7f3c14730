import type { Clock } from "@mulkko/shared/rules/clock";
import { NoAccessError } from "../upstream/errors.ts";
import type { RelaySessions } from "./account-access.ts";

/**
 * A circuit breaker per credential (POLL-3). A credential that the API refuses several times in a row rests;
 * then a single attempt shows if it is accepted again.
 */
interface Refusals {
  /**
   * True if the credential must not be used now; the first caller after its rest makes the single attempt.
   */
  resting(credential: string): boolean;
  refused(credential: string): void;
  accepted(credential: string): void;
}

/** Consecutive refusals after which a credential rests; fewer may concern a single unit. */
const IN_A_ROW = 3;
const REST_FIRST_MS = 30_000;
const REST_LAST_MS = 600_000;
/** Time limit of an attempt, ms; after it another is made. */
const TRY_MS = 30_000;
/** Upper bound of remembered credentials; the oldest is evicted. */
const REMEMBERED_AT_MOST = 32;

interface Refused {
  inARow: number;
  /** Length of its next rest, ms. */
  rest: number;
  /** Time at which its rest or its single attempt ends, monotonic ms. */
  until: number;
  /** True while the single attempt after a rest is made. */
  attempted: boolean;
}

function createRefusals(clock: Clock): Refusals {
  const refused = new Map<string, Refused>();
  return {
    resting(credential) {
      const entry = refused.get(credential);
      if (entry === undefined || entry.inARow < IN_A_ROW) return false;
      if (clock.monotonic() < entry.until) return true;
      entry.until = clock.monotonic() + TRY_MS;
      entry.attempted = true;
      return false;
    },
    refused(credential) {
      const entry = refused.get(credential) ?? { inARow: 0, rest: REST_FIRST_MS, until: 0, attempted: false };
      // Calls that were sent before its rest, and closes, say nothing new: only the attempt after it does.
      if (entry.inARow >= IN_A_ROW && !entry.attempted) return;
      refused.delete(credential);
      refused.set(credential, entry);
      entry.inARow += 1;
      if (entry.inARow >= IN_A_ROW) {
        entry.until = clock.monotonic() + entry.rest;
        entry.attempted = false;
        entry.rest = Math.min(REST_LAST_MS, entry.rest * 2);
      }
      const oldest = refused.keys().next().value;
      if (refused.size > REMEMBERED_AT_MOST && oldest !== undefined) refused.delete(oldest);
    },
    accepted: (credential) => void refused.delete(credential),
  };
}

/** A token that the relay may use for an account, and its kind. */
export interface Credential {
  readonly kind: "relay" | "viewer";
  readonly token: string;
}

/** The credentials of one account, best first (CRED-1): the relay's own session, then its viewers' tokens. */
export interface Credentials {
  /** Make a viewer's token available until it expires. */
  lend(token: string, expiresAt: number): void;
  /** Stop using a credential that the API answered with 401. */
  drop(credential: Credential): void;
  /**
   * Call `ask` with one credential after the other until the API accepts one. A credential that was refused
   * several times in a row rests (POLL-3), unless `insist`: a close is attempted with all credentials.
   */
  use<T>(
    ask: (credential: Credential) => Promise<T>,
    isAccessError: (error: unknown) => boolean,
    insist?: boolean,
  ): Promise<T>;
  /** True if the account has a session of the relay's own, or may get one because none was refused. */
  readonly own: boolean;
  /** True if any credential is available. */
  readonly any: boolean;
}

/** Upper bound of viewers' tokens per account; the newest are kept. */
const LENT_AT_MOST = 16;
/** Upper bound of remembered dropped tokens: a node that has not seen the 401 may lend one again. */
const DROPPED_AT_MOST = 64;
/** Key of the relay's own session, whatever its present token, among the credentials that may rest. */
const OWN = "own";

export function createCredentials(deps: {
  accountId: string;
  clock: Clock;
  sessions: Pick<RelaySessions, "mayServe" | "token" | "forget">;
  /** Called when the API has refused every available credential. */
  onRefused?: () => void;
}): Credentials {
  const { accountId, clock, sessions, onRefused } = deps;
  /** By token, its end on the monotonic clock: the other one may be set. */
  const lent = new Map<string, number>();
  const dropped = new Set<string>();
  const refusals = createRefusals(clock);

  const usable = (): string[] => {
    for (const [token, expiresAt] of lent) if (expiresAt <= clock.monotonic()) lent.delete(token);
    return [...lent.keys()].reverse();
  };
  // If only the creation of sessions fails, a viewer's token still works.
  const ownToken = (): Promise<string | null> =>
    sessions.token(accountId).catch((error: unknown) => {
      if (usable().length === 0) throw error;
      return null;
    });
  return {
    get own() {
      return sessions.mayServe(accountId);
    },
    get any() {
      return sessions.mayServe(accountId) || usable().length > 0;
    },
    lend(token, expiresAt) {
      if (dropped.has(token)) return;
      lent.delete(token);
      lent.set(token, clock.monotonic() + expiresAt - clock.now());
      const oldest = lent.keys().next().value;
      if (lent.size > LENT_AT_MOST && oldest !== undefined) lent.delete(oldest);
    },
    drop(credential) {
      const { kind, token } = credential;
      if (kind === "relay") {
        sessions.forget(accountId, token);
        return;
      }
      lent.delete(token);
      dropped.add(token);
      const [oldest] = dropped;
      if (dropped.size > DROPPED_AT_MOST && oldest !== undefined) dropped.delete(oldest);
    },
    async use<T>(
      ask: (credential: Credential) => Promise<T>,
      isAccessError: (error: unknown) => boolean,
      insist = false,
    ) {
      let refusal: unknown;
      const isResting = (key: string): boolean => !insist && refusals.resting(key);
      const tried = new Set<string>();
      const attempt = async (credential: Credential): Promise<{ answer: T } | null> => {
        const key = credential.kind === "relay" ? OWN : credential.token;
        tried.add(credential.token);
        try {
          const answer = await ask(credential);
          refusals.accepted(key);
          return { answer };
        } catch (error) {
          if (!isAccessError(error)) throw error;
          refusals.refused(key);
          refusal = error;
          return null;
        }
      };
      // Renew a session once if the API has forgotten it.
      const rounds = sessions.mayServe(accountId) && isResting(OWN) ? 0 : 2;
      for (let round = 0; round < rounds; round += 1) {
        const own = await ownToken();
        if (own === null || tried.has(own)) break;
        const answered = await attempt({ kind: "relay", token: own });
        if (answered) return answered.answer;
      }
      for (const token of usable()) {
        if (isResting(token)) continue;
        const answered = await attempt({ kind: "viewer", token });
        if (answered) return answered.answer;
      }
      if (refusal !== undefined) onRefused?.();
      throw new NoAccessError(`No credential of account ${accountId} is accepted`, { cause: refusal });
    },
  };
}
