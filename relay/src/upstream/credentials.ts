import type { Clock } from "@mulkko/shared/rules/clock";
import { NoAccessError } from "./errors.ts";
import { createRefusals } from "./refusals.ts";
import type { RelaySessions } from "./relay-session.ts";

/** A token that the relay may use for an account, and whose it is. */
export interface Credential {
  readonly kind: "relay" | "viewer";
  readonly token: string;
}

/** The credentials of one account, best first (CRED-1): the relay's own session, then its viewers' tokens. */
export interface Credentials {
  /** A viewer's token is there to be used until it expires. */
  lend(token: string, expiresAt: number): void;
  /** The API answered 401 to it: it is not used again. */
  drop(credential: Credential): void;
  /**
   * Tries `ask` with one credential after the other until the API accepts one. One that was refused several times
   * in a row rests (POLL-3), unless `insist`: a close is tried with everything there is.
   */
  use<T>(
    ask: (credential: Credential) => Promise<T>,
    isAccessError: (error: unknown) => boolean,
    insist?: boolean,
  ): Promise<T>;
  /** True if the account has a session of the relay's own, or may get one: nothing has refused it. */
  readonly own: boolean;
  /** True if there is something to try. */
  readonly any: boolean;
}

/** Viewers' tokens kept per account at most; the newest win. */
const LENT_AT_MOST = 16;
/** Tokens remembered as dropped at most: a node that has not heard of it may lend one again. */
const DROPPED_AT_MOST = 64;
/** The relay's own session, whatever its token is at present, among the credentials that may rest. */
const OWN = "own";

export function createCredentials(parts: {
  accountId: string;
  clock: Clock;
  sessions: Pick<RelaySessions, "mayServe" | "token" | "forget">;
  /** Told when the API has refused each credential that there is. */
  onRefused?: () => void;
}): Credentials {
  const { accountId, clock, sessions, onRefused } = parts;
  const lent = new Map<string, number>();
  const dropped = new Set<string>();
  const refusals = createRefusals(clock);

  const usable = (): string[] => {
    for (const [token, expiresAt] of lent) if (expiresAt <= clock.now()) lent.delete(token);
    return [...lent.keys()].reverse();
  };
  // Where only the making of sessions is out of order, a viewer's token still does.
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
      lent.set(token, expiresAt);
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
      // A session that the API has forgotten is made anew, once.
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
