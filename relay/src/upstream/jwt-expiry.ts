import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";

const Claims = Type.Object({ exp: Type.Number() });

/** Return the `exp` of a JWT in ms UTC, unverified; null if the token is no JWT or has no expiry. */
export function jwtExpiry(token: string): number | null {
  const [, payload] = token.split(".");
  if (payload === undefined) return null;
  const claims = parseJson(Claims, Buffer.from(payload, "base64url").toString("utf8"));
  return claims.ok ? claims.value.exp * 1000 : null;
}
