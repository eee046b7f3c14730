import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import type { FastifyRequest } from "fastify";
import type { ProvenAccount, TokenProofs } from "../access/token-prover.ts";
import { type Caller, callerOf, type Trust } from "../http/caller.ts";
import { RelayError } from "../http/relay-error.ts";
import { withTimeout } from "../http/with-timeout.ts";
import { type Reader, readerOf } from "./reader.ts";

/** ms within which an account's service has to be reached. */
const REACH_MS = 4_000;
/** Maximum calls of one account per window; no person makes more. */
const CALLS = 100;
const WINDOW_MS = 10_000;
/** Upper bound of accounts counted at the same time; the oldest counts are evicted. */
const COUNTED = 10_000;

/**
 * Identify the caller of one of the relay's own routes, and run `reach` for the part of the relay that
 * serves the account. Rejects with a `RelayError` of 401, 403, 429 or 503.
 */
export type AccountCaller = <T>(
  request: FastifyRequest,
  reach: (account: ProvenAccount, token: string) => Promise<T>,
) => Promise<{ account: ProvenAccount; served: T }>;

interface CallerDeps {
  readonly prover: TokenProofs;
  /** How to prove the token of a call that changes something; by default the API is asked (AUTH-5). */
  readonly writes?: Trust;
  readonly clock: Clock;
  readonly timers: Timers;
}

const trustOf = (request: FastifyRequest, { writes }: CallerDeps): Trust | undefined =>
  request.method === "GET" ? undefined : writes;

/** Admit callers that `who` identifies, within the account's rate. */
function createAdmission<Who extends { readonly account: ProvenAccount }>(
  who: (request: FastifyRequest) => Promise<Who>,
  { clock, timers }: CallerDeps,
) {
  const rate = createRateLimit(clock, WINDOW_MS, COUNTED);
  return <T>(request: FastifyRequest, reach: (who: Who) => Promise<T>): Promise<{ who: Who; served: T }> => {
    const all = async () => {
      const known = await who(request);
      if (rate.refuses(known.account.accountId, CALLS) !== null) {
        throw new RelayError(429, "too-many-requests", "too many calls at once");
      }
      return { who: known, served: await reach(known) };
    };
    return withTimeout(timers, REACH_MS, all());
  };
}

export function createAccountCaller(deps: CallerDeps): AccountCaller {
  const admitted = createAdmission<Caller>(
    (request) => callerOf(request, deps.prover, trustOf(request, deps)),
    deps,
  );
  return async (request, reach) => {
    const { who, served } = await admitted(request, ({ account, token }) => reach(account, token));
    return { account: who.account, served };
  };
}

/** The same for routes that a display may also use, within its farms (HS-2). */
export type ReaderCaller = <T>(
  request: FastifyRequest,
  reach: (reader: Reader) => Promise<T>,
) => Promise<{ reader: Reader; served: T }>;

export function createReaderCaller(deps: CallerDeps): ReaderCaller {
  const admitted = createAdmission<Reader>(
    (request) => readerOf(request, deps.prover, trustOf(request, deps)),
    deps,
  );
  return async (request, reach) => {
    const { who, served } = await admitted(request, reach);
    return { reader: who, served };
  };
}
