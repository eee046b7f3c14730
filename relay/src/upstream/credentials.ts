import type { Clock } from "@mulkko/shared/rules/clock";
import { NoAccessError } from "./errors.ts";
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
  /** Tries `ask` with one credential after the other until the API accepts one. */
  use<T>(ask: (credential: Credential) => Promise<T>, isAccessError: (error: unknown) => boolean): Promise<T>;
  /** True if the account has a session of the relay's own, or may get one: nothing has refused it. */
  readonly own: boolean;
  /** True if there is something to try. */
  readonly any: boolean;
}

/** Viewers' tokens kept per account at most; the newest win. */
const LENT_AT_MOST = 16;

export function createCredentials(parts: {
  accountId: string;
  clock: Clock;
  sessions: RelaySessions;
}): Credentials {
  const { accountId, clock, sessions } = parts;
  const lent = new Map<string, number>();

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
      return sessions.possible || usable().length > 0;
    },
    lend(token, expiresAt) {
      lent.delete(token);
      lent.set(token, expiresAt);
      const oldest = lent.keys().next().value;
      if (lent.size > LENT_AT_MOST && oldest !== undefined) lent.delete(oldest);
    },
    drop(credential) {
      if (credential.kind === "relay") sessions.forget(accountId, credential.token);
      else lent.delete(credential.token);
    },
    async use<T>(ask: (credential: Credential) => Promise<T>, isAccessError: (error: unknown) => boolean) {
      let refusal: unknown;
      const tried = new Set<string>();
      const attempt = async (credential: Credential): Promise<{ answer: T } | null> => {
        tried.add(credential.token);
        try {
          return { answer: await ask(credential) };
        } catch (error) {
          if (!isAccessError(error)) throw error;
          refusal = error;
          return null;
        }
      };
      // A session that the API has forgotten is made anew, once.
      for (let round = 0; round < 2; round += 1) {
        const own = await ownToken();
        if (own === null || tried.has(own)) break;
        const answered = await attempt({ kind: "relay", token: own });
        if (answered) return answered.answer;
      }
      for (const token of usable()) {
        const answered = await attempt({ kind: "viewer", token });
        if (answered) return answered.answer;
      }
      throw new NoAccessError(`No credential of account ${accountId} is accepted`, { cause: refusal });
    },
  };
}
