import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import { callerOf } from "../commands/caller.ts";
import { reachWithin } from "../commands/reach.ts";
import { createMessageRate, type MessageRate } from "../core/message-rate.ts";
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

export function createAccountCaller(parts: {
  prover: Pick<TokenProver, "prove">;
  clock: Clock;
  timers: Timers;
}): AccountCaller {
  const { prover, clock, timers } = parts;
  const rates = new Map<string, MessageRate>();

  const admit = ({ accountId }: ProvenAccount): void => {
    const rate = rates.get(accountId) ?? createMessageRate(CALLS, WINDOW_MS);
    rates.delete(accountId);
    rates.set(accountId, rate);
    const oldest = rates.keys().next().value;
    if (rates.size > COUNTED && oldest !== undefined) rates.delete(oldest);
    if (!rate.admit(clock.monotonic())) {
      throw new RelayError(429, "too-many-requests", "too many calls at once");
    }
  };
  return async (request, reach) => {
    const all = async () => {
      const { account, token } = await callerOf(request, prover);
      admit(account);
      return { account, served: await reach(account, token) };
    };
    return reachWithin(timers, REACH_MS, all());
  };
}
