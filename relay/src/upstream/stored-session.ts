import { WATCH_ENDS, type WatchEnd } from "@mulkko/shared/rest/watch";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { Static } from "typebox";
import Type from "typebox";
import type { SingleCollection } from "../store/collections.ts";
import type { TokenCipher } from "./token-cipher.ts";

const Pair = Type.Object({
  kind: Type.Literal("pair"),
  accessToken: Type.String(),
  /** Null if the API sent none: the session then lasts as long as its access token. */
  refreshToken: Nullable(Type.String()),
  /** Issue time of the access token, ms UTC. */
  issuedAt: Type.Number(),
  expiresAt: Type.Number(),
});
const Ended = Type.Object({
  kind: Type.Literal("ended"),
  why: Type.Enum([...WATCH_ENDS]),
});
/** Stored state of the relay's own session for an account: its tokens, or the reason why it ended. */
export const StoredSession = Type.Union([Pair, Ended]);
export type StoredSession = Static<typeof StoredSession>;
export type SessionPair = Static<typeof Pair>;

/** The relay's own sessions at a plain API, one an account (CRED-1 b): encrypted text. */
export const SESSIONS = {
  ...{ name: "session", shape: "single", value: Type.String(), plain: true, anyNode: true },
  sqlite: { table: "sessions", value: "sealed" },
  redis: { documents: "session" },
} as const satisfies SingleCollection;

export const endedSession = (why: WatchEnd): StoredSession => ({ kind: "ended", why });

export function encryptSession(cipher: TokenCipher, session: StoredSession): string {
  return cipher.encrypt(JSON.stringify(session));
}

/** Decrypt a stored session. One encrypted with another `RELAY_SECRET`, or invalid, counts as ended. */
export function openSession(cipher: TokenCipher, encrypted: string): StoredSession {
  const text = cipher.open(encrypted);
  const session = text === null ? null : parseJson(StoredSession, text);
  return session?.ok ? session.value : endedSession("secret-lost");
}
