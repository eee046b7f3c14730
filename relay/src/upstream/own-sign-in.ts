import { type LoginBody, TokenPair } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Log } from "../ports/log.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import { accountOf } from "./account-of.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamError } from "./errors.ts";
import type { SessionPair } from "./kept-session.ts";
import { sessionPairOf } from "./own-sessions.ts";

/**
 * Signs the relay in for itself with what a person signs in with (CRED-1 b). Resolves when the person's own login
 * may go: whether this one succeeded or not, and within a few seconds. Never rejects.
 *
 * @param headers what the login says of where it comes from, as the person's own does
 */
export type OwnSignIn = (login: LoginBody, headers: Readonly<Record<string, string>>) => Promise<void>;

export interface OwnSignInParts {
  readonly client: UpstreamClient;
  readonly capabilities: CapabilitySource;
  readonly clock: Clock;
  readonly log: Log;
  /** False while the API is known to be away. */
  readonly reachable: () => boolean;
  /** Hands the tokens to the account's owner. */
  readonly signedIn: (accountId: string, pair: SessionPair) => Promise<void>;
}

/** ms that a person's login waits for the relay's own. */
const WITHIN_MS = 3_000;
/** Sign-ins of the relay's under way at most; a login beyond them goes without. */
const AT_ONCE = 32;

/** Why it did not work, in words that hold nothing of what was said: the error of a login is never logged itself. */
const reasonOf = (error: unknown): object =>
  error instanceof UpstreamError ? { reason: error.name, status: error.status } : { reason: "unexpected" };

export function createOwnSignIn(parts: OwnSignInParts): OwnSignIn {
  const { client, capabilities, clock, log, signedIn } = parts;
  let underWay = 0;

  /** Whose session it is, only the API can say. */
  const handOver = async (pair: SessionPair): Promise<void> => {
    const { accessToken: token } = pair;
    const account = await accountOf(client, token);
    await signedIn(String(account.id), pair);
  };
  const failed = (error: unknown): void =>
    log.warn(reasonOf(error), "the relay could not sign in for itself: this farm may not be watched");

  return async ({ username, password }, headers) => {
    if (capabilities.has("relay-session") || !parts.reachable() || underWay >= AT_ONCE) return;
    underWay += 1;
    try {
      const answer = await client.post(apiPath.login, TokenPair, {
        query: { username, password },
        headers,
        timeoutMs: WITHIN_MS,
        unit: "sign-in",
      });
      handOver(sessionPairOf(answer, clock.now())).catch(failed);
    } catch (error) {
      failed(error);
    } finally {
      underWay -= 1;
    }
  };
}
