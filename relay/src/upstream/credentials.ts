import type { Clock } from "@mulkko/shared/rules/clock";
import { NoAccessError } from "./errors.ts";
import { createRefusals } from "./refusals.ts";
import type { RelaySessions } from "./relay-session.ts";

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
  const lent = new Map<string, number>();
  const dropped = new Set<string>();
  const refusals = createRefusals(clock);

  const usable = (): string[] => {
    for (const [token, expiresAt] of lent) if (expiresAt <= clock.now()) lent.delete(token);
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
