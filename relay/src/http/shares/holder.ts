import { addressGroup } from "@mulkko/shared/server/address-group";
import type { FastifyRequest } from "fastify";
import type { TokenProver } from "../../access/token-prover.ts";
import type { Holder } from "../../runtime/places.ts";
import { bearerOf, noToken, refusalOf } from "../caller.ts";
import type { RelayError } from "../relay-error.ts";

/** The holder of what a proxied call takes (SHARE-1). */
export interface CallHolder extends Holder {
  /** True for a call of an account: others have pools of their own, which no account waits for. */
  readonly isAccount: boolean;
  /** Why it is not known as one of an account; null where it is. */
  readonly refusal: RelayError | null;
}

/** The address group alone, for calls that are public. */
export const addressHolder = ({ ip }: Pick<FastifyRequest, "ip">): Holder => ({
  name: `address ${addressGroup(ip)}`,
  address: null,
});

/** Return the holder of a proxied call. The token is proven with the farm API, unless a proof is remembered. */
export async function holderOf(
  request: FastifyRequest,
  prover: Pick<TokenProver, "prove">,
): Promise<CallHolder> {
  const address = addressHolder(request);
  const token = bearerOf(request.headers.authorization);
  if (token === undefined) return { ...address, isAccount: false, refusal: noToken() };
  const proof = await prover.prove(token);
  if (!proof.ok) return { ...address, isAccount: false, refusal: refusalOf(proof.failure) };
  const name = `account ${proof.proven.accountId}`;
  return { name, address: address.name, isAccount: true, refusal: null };
}
