import type { Actor } from "@mulkko/shared/live/devices";
import type { ProofFailure, ProvenAccount, TokenProver } from "../ports.ts";
import { RelayError } from "./relay-error.ts";

/**
 * The account that a token stands for.
 *
 * @throws RelayError 401, 403 `account-disabled`, or 503 `upstream-down` where the API cannot be asked
 */
export async function provenOr(prover: TokenProver, token: string): Promise<ProvenAccount> {
  const proof = await prover.prove(token);
  if (!proof.ok) throw refusalOf(proof.failure);
  return proof.proven;
}

/** Who does something, as logs and screens name them. */
export function actorOf({ account }: ProvenAccount): Actor {
  return { id: account.id, nickname: account.nickname || account.username };
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
