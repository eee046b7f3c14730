import { type Static, Type } from "typebox";

/** What the browser sends to the relay, which turns it into the query form of the farm API. */
export const LoginBody = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 64 }),
  password: Type.String({ minLength: 1, maxLength: 128 }),
});
export type LoginBody = Static<typeof LoginBody>;

/** Answer of login (with the misspelled name of the original) and of refresh. */
export const TokenPair = Type.Object({
  accessToken: Type.String({ minLength: 1 }),
  refeshToken: Type.Optional(Type.String()),
  refreshToken: Type.Optional(Type.String()),
});
export type TokenPair = Static<typeof TokenPair>;

/** The refresh token under whichever of its two names it came; null if there is none. */
export function refreshTokenOf(pair: TokenPair): string | null {
  return pair.refreshToken ?? pair.refeshToken ?? null;
}

/** Body and answer of the relay's own session (extension `relay-session`). */
export const RelaySessionBody = Type.Object({ userId: Type.String({ minLength: 1, maxLength: 128 }) });
export const RelaySession = Type.Object({ accessToken: Type.String({ minLength: 1 }) });
