import { isDisplayToken } from "../displays/codes.ts";
import type { DisplayDoor, DisplayGrant } from "../ports/displays.ts";
import type { ProvenAccount, TokenProver } from "../ports/tokens.ts";
import { type Farewell, farewell, farewellFor } from "./farewell.ts";

/** Who said hello: an account, or a display of one (HS-2). */
export type Identity =
  | { readonly ok: true; readonly proven: ProvenAccount; readonly display: DisplayGrant | null }
  | { readonly ok: false; readonly last: Farewell };

const DISPLAY_REFUSALS = {
  revoked: farewell.displayRevoked,
  suspended: farewell.disabled,
  "store-down": farewell.storeDown,
} as const;

export async function identify(
  token: string,
  prover: Pick<TokenProver, "prove">,
  displays: Pick<DisplayDoor, "prove">,
): Promise<Identity> {
  if (!isDisplayToken(token)) {
    const proof = await prover.prove(token);
    if (!proof.ok) return { ok: false, last: farewellFor(proof.failure) };
    return { ok: true, proven: proof.proven, display: null };
  }
  const proof = await displays.prove(token);
  if (proof.ok) return { ok: true, proven: proof.display.account, display: proof.display };
  return { ok: false, last: DISPLAY_REFUSALS[proof.why] };
}

/** By what a display's sessions are found when it is changed or revoked: never by its token. */
export const displayBearer = (id: string): string => `display ${id}`;
