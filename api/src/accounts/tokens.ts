import { createHmac, randomBytes } from "node:crypto";
import { parse } from "@mulkko/shared/schema/parse";
import { jwtVerify, SignJWT } from "jose";
import { type Static, Type } from "typebox";
import type { Queryable } from "../database/database.ts";
import { ACCESS_TOKEN_S, RELAY_TOKEN_S } from "./rules.ts";

const ALGORITHM = "HS256";
const SECRET_BYTES = 32;

const Claims = Type.Object({
  sub: Type.String(),
  /** The session; missing in tokens of the relay. */
  sid: Type.Optional(Type.String()),
  scope: Type.Union([Type.Literal("full"), Type.Literal("relay")]),
});
export type Claims = Static<typeof Claims>;

/** Issue and verify tokens with the secret of this installation. */
export interface Tokens {
  /** Return the access token of a session, issued at `at` (ms); the same input gives the same token. */
  access(accountId: string, sessionId: string, at: number): Promise<string>;
  relay(accountId: string, at: number): Promise<string>;
  /** Return the claims of a token that is valid at `now` (ms), otherwise null. */
  read(token: string, now: number): Promise<Claims | null>;
  firstRefresh(): string;
  /** Return the successor of a refresh token, computable only with the secret. */
  nextRefresh(token: string): string;
}

/**
 * Read or create the secret, which is stored in the database, shared by every process and kept over restarts.
 */
export async function createTokens(database: Queryable): Promise<Tokens> {
  await database.query(
    "insert into setting (key, value) values ('token-secret', $1) on conflict do nothing",
    [randomBytes(SECRET_BYTES).toString("base64")],
  );
  const [row] = await database.query<{ value: string }>(
    "select value from setting where key = 'token-secret'",
  );
  if (!row) throw new Error("the token secret cannot be read back");
  const secret = Buffer.from(row.value, "base64");

  const sign = (
    claims: Omit<Claims, "sub">,
    accountId: string,
    at: number,
    lifeS: number,
  ): Promise<string> => {
    const issued = Math.floor(at / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(accountId)
      .setIssuedAt(issued)
      .setExpirationTime(issued + lifeS)
      .sign(secret);
  };

  return {
    access: (accountId, sid, at) => sign({ sid, scope: "full" }, accountId, at, ACCESS_TOKEN_S),
    relay: (accountId, at) => sign({ scope: "relay" }, accountId, at, RELAY_TOKEN_S),
    async read(token, now) {
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: [ALGORITHM],
          currentDate: new Date(now),
        });
        const claims = parse(Claims, payload);
        return claims.ok ? claims.value : null;
      } catch {
        return null;
      }
    },
    firstRefresh: () => randomBytes(SECRET_BYTES).toString("base64url"),
    nextRefresh: (token) => createHmac("sha256", secret).update(`refresh ${token}`).digest("base64url"),
  };
}
