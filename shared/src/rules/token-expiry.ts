import { Type } from "typebox";
import { parseJson } from "../schema/parse.ts";

const Claims = Type.Object({ exp: Type.Number() });

/** Assumed lifetime of a token without a readable end, from first use, ms (AUTH-1). */
export const OPAQUE_TOKEN_MS = 1_800_000;

/** Return the `exp` of a JWT in ms UTC, unverified; null if the token is no JWT or has no expiry. */
function jwtExpiry(token: string): number | null {
  const [, payload] = token.split(".");
  if (payload === undefined) return null;
  let text: string;
  try {
    text = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
  const claims = parseJson(Claims, text);
  return claims.ok ? claims.value.exp * 1000 : null;
}

/**
 * Return the end of an access token in ms UTC: the JWT's `exp`, else its assumed lifetime from now.
 *
 * @param now ms UTC, on the server's clock
 * @param lifetimeMs assumed lifetime of a token without a readable end
 */
export const tokenExpiry = (token: string, now: number, lifetimeMs = OPAQUE_TOKEN_MS): number =>
  jwtExpiry(token) ?? now + lifetimeMs;
