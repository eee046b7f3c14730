import { type LoginBody, TokenPair } from "@mulkko/shared/rest/account";
import { accountLogin } from "@mulkko/shared/rest/operations/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { CapabilitySource } from "./capabilities.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamError, UpstreamStatusError } from "./errors.ts";
import { sessionPairOf } from "./own-sessions.ts";
import type { SessionPair } from "./stored-session.ts";
import { accountOf } from "./tokens.ts";
import type { UpstreamClock } from "./upstream-clock.ts";

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

export interface OwnSignInDeps {
  readonly client: UpstreamClient;
  readonly capabilities: CapabilitySource;
  readonly clock: Clock;
  readonly upstreamClock: Pick<UpstreamClock, "offsetMs">;
  readonly log: Log;
  /** False while the API is known to be unavailable. */
  readonly reachable: () => boolean;
  /** Pass the tokens to the account's owner. */
  readonly signedIn: (accountId: string, pair: SessionPair) => Promise<void>;
}

/** Maximum time that a user's login waits for the relay's own, ms. */
const WITHIN_MS = 3_000;
/** Upper bound of concurrent sign-ins of the relay; further logins proceed without one. */
const AT_ONCE = 32;

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
    if (capabilities.has("relay-session") || !deps.reachable() || underWay >= AT_ONCE) return null;
    underWay += 1;
    try {
      const answer = await client.send(accountLogin, TokenPair, {
        query: { username, password },
        headers,
        limits: { ms: WITHIN_MS },
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
