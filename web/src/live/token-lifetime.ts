import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

const Claims = Type.Object({ exp: Type.Number() });

/** Assumed lifetime of a token without a readable end, from first use, s (AUTH-1). */
export const OPAQUE_TOKEN_SECONDS = 1_800;

/**
 * Return the seconds until an access token ends: the JWT's `exp` against `now`, else 1,800.
 *
 * @param now ms since 1970 UTC, on the server's clock
 */
export function tokenLifetime(token: string, now: number): number {
  const body = token.split(".")[1];
  if (body === undefined) return OPAQUE_TOKEN_SECONDS;
  let text: string;
  try {
    text = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return OPAQUE_TOKEN_SECONDS;
  }
  const claims = parseJson(Claims, text);
  return claims.ok ? Math.max(0, claims.value.exp - now / 1000) : OPAQUE_TOKEN_SECONDS;
}
