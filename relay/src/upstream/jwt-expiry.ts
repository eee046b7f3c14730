import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";

const Claims = Type.Object({ exp: Type.Number() });

/** The `exp` of a JWT in ms UTC, unverified; null for a token that is no JWT or names no end. */
export function jwtExpiry(token: string): number | null {
  const [, payload] = token.split(".");
  if (payload === undefined) return null;
  const claims = parseJson(Claims, Buffer.from(payload, "base64url").toString("utf8"));
  return claims.ok ? claims.value.exp * 1000 : null;
}
