import type { Actor } from "@mulkko/shared/live/devices";
import type { FastifyRequest } from "fastify";
import { bearerOf } from "../core/bearer.ts";
import { RelayError } from "../plugins/relay-error.ts";
import type { ProofFailure, ProvenAccount, TokenProver } from "../ports/tokens.ts";

/** Who calls, proven by the farm API, and the token that they called with. */
export interface Caller {
  readonly account: ProvenAccount;
  readonly token: string;
}

/**
 * The account that a call's bearer token belongs to (AUTH-3).
 *
 * @throws RelayError 401 without a token or with one that is not accepted, 403 for a disabled account, 503 where
 *   the farm API cannot be asked
 */
export async function callerOf(request: FastifyRequest, prover: Pick<TokenProver, "prove">): Promise<Caller> {
  const token = tokenOf(request);
  const proof = await prover.prove(token);
  if (!proof.ok) throw refusalOf(proof.failure);
  return { account: proof.proven, token };
}

/** @throws RelayError 401 */
export function tokenOf(request: FastifyRequest): string {
  const token = bearerOf(request.headers.authorization);
  if (token === undefined) throw new RelayError(401, "unauthorized", "a bearer token is needed");
  return token;
}

export function actorOf({ account }: ProvenAccount): Actor {
  return { id: account.id, nickname: account.nickname || account.username };
}

/** A browser says of itself where its call comes from; whoever does not is a program. */
export function originOf(request: FastifyRequest): string {
  return request.headers["sec-fetch-mode"] === undefined ? "api" : "screen";
}

function refusalOf(failure: ProofFailure): RelayError {
  switch (failure.kind) {
    case "rejected":
      return new RelayError(401, "unauthorized", "token not accepted");
    case "disabled":
      return new RelayError(403, "account-disabled", "the account is disabled");
    case "upstream-down":
      return new RelayError(503, "upstream-down", "the farm API cannot be reached");
  }
}
