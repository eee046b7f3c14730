import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import { type Caller, callerOf } from "../commands/caller.ts";
import { reachWithin } from "../commands/reach.ts";
import { type Reader, readerOf } from "../commands/reader.ts";
import { createKeyedRate } from "../core/keyed-rate.ts";
import type { Timers } from "../ports/timers.ts";
import type { ProvenAccount, TokenProver } from "../ports/tokens.ts";
import { RelayError } from "./relay-error.ts";

/** ms within which an account's desk has to be reached. */
const REACH_MS = 4_000;
/** Calls of one account in a window; more is no person. */
const CALLS = 100;
const WINDOW_MS = 10_000;
/** Accounts whose calls are counted at the same time; the oldest counts give way. */
const COUNTED = 10_000;

/**
 * Who calls one of the relay's own routes, and, by `reach`, the part of the relay that serves the account. Rejects
 * with a `RelayError` of 401, 403, 429 or 503.
 */
export type AccountCaller = <T>(
  request: FastifyRequest,
  reach: (account: ProvenAccount, token: string) => Promise<T>,
) => Promise<{ account: ProvenAccount; served: T }>;

interface CallerParts {
  readonly prover: Pick<TokenProver, "prove">;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Lets in whom `who` names, within the account's rate. */
function createAdmission<Who extends { readonly account: ProvenAccount }>(
  who: (request: FastifyRequest) => Promise<Who>,
  { clock, timers }: CallerParts,
) {
  const rate = createKeyedRate(CALLS, WINDOW_MS, COUNTED);
  return <T>(request: FastifyRequest, reach: (who: Who) => Promise<T>): Promise<{ who: Who; served: T }> => {
    const all = async () => {
      const known = await who(request);
      if (!rate.admit(known.account.accountId, clock.monotonic())) {
        throw new RelayError(429, "too-many-requests", "too many calls at once");
      }
      return { who: known, served: await reach(known) };
    };
    return reachWithin(timers, REACH_MS, all());
  };
}

export function createAccountCaller(parts: CallerParts): AccountCaller {
  const admitted = createAdmission<Caller>((request) => callerOf(request, parts.prover), parts);
  return async (request, reach) => {
    const { who, served } = await admitted(request, ({ account, token }) => reach(account, token));
    return { account: who.account, served };
  };
}

/** The same for routes that a display may use as well: within its farms (HS-2). */
export type ReaderCaller = <T>(
  request: FastifyRequest,
  reach: (reader: Reader) => Promise<T>,
) => Promise<{ reader: Reader; served: T }>;

export function createReaderCaller(parts: CallerParts): ReaderCaller {
  const admitted = createAdmission<Reader>((request) => readerOf(request, parts.prover), parts);
  return async (request, reach) => {
    const { who, served } = await admitted(request, reach);
    return { reader: who, served };
  };
}
