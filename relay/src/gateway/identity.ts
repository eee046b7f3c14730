import type { DisplayAuth } from "../displays/display-auth.ts";
import type { DisplayGrant } from "../http/display-grant.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import type { ProvenAccount, TokenProver } from "../upstream/tokens.ts";
import { type CloseReason, closeReason, closeReasonFor } from "./close-reason.ts";

/** The authenticated client: an account, or a display of one (HS-2). */
export type Identity =
  | { readonly ok: true; readonly proven: ProvenAccount; readonly display: DisplayGrant | null }
  | { readonly ok: false; readonly last: CloseReason };

const DISPLAY_REFUSALS = {
  revoked: closeReason.displayRevoked,
  suspended: closeReason.disabled,
  "store-down": closeReason.storeDown,
} as const;

export async function identify(
  token: string,
  prover: Pick<TokenProver, "prove">,
  displays: Pick<DisplayAuth, "prove">,
): Promise<Identity> {
  if (!isDisplayToken(token)) {
    const proof = await prover.prove(token);
    if (!proof.ok) return { ok: false, last: closeReasonFor(proof.failure) };
    return { ok: true, proven: proof.proven, display: null };
  }
  const proof = await displays.prove(token);
  if (proof.ok) return { ok: true, proven: proof.display.account, display: proof.display };
  return { ok: false, last: DISPLAY_REFUSALS[proof.why] };
}

/**
 * Return the name under which a display's sessions are found when it is changed or revoked. It does not
 * contain the token.
 */
export const displayBearer = (id: string): string => `display ${id}`;
