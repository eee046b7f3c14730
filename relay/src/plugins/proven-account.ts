import type { FastifyRequest } from "fastify";
import { bearerOf } from "../core/bearer.ts";
import type { ProofFailure, ProvenAccount, TokenProver } from "../ports.ts";
import { RelayError } from "./relay-error.ts";

/**
 * Whose call it is, by its bearer token (AUTH-3).
 *
 * @throws RelayError 401, 403 or 503
 */
export async function provenAccount(
  request: FastifyRequest,
  prover: TokenProver,
): Promise<{ token: string; proven: ProvenAccount }> {
  const token = bearerOf(request.headers.authorization);
  if (token === undefined) throw new RelayError(401, "unauthorized", "a bearer token is needed");
  const proof = await prover.prove(token);
  if (!proof.ok) throw proofRefusal(proof.failure);
  return { token, proven: proof.proven };
}

export function proofRefusal(failure: ProofFailure): RelayError {
  switch (failure.kind) {
    case "rejected":
      return new RelayError(401, "unauthorized", "token not accepted");
    case "disabled":
      return new RelayError(403, "account-disabled", "the account is disabled");
    case "upstream-down":
      return new RelayError(503, "upstream-down", "the farm API cannot be reached");
  }
}
