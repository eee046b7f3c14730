import { WATCH_ENDS, type WatchEnd } from "@mulkko/shared/rest/watch";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type, { type Static } from "typebox";
import type { Seal } from "../cluster/seal.ts";

const Pair = Type.Object({
  kind: Type.Literal("pair"),
  accessToken: Type.String(),
  /** Null where the API gave none: the session then lasts as long as its access token. */
  refreshToken: Nullable(Type.String()),
  /** Of the access token, ms UTC. */
  issuedAt: Type.Number(),
  expiresAt: Type.Number(),
});
const Ended = Type.Object({
  kind: Type.Literal("ended"),
  why: Type.Enum([...WATCH_ENDS]),
});
/** What the relay keeps of its own session for an account: the tokens, or why there are none any more. */
export const KeptSession = Type.Union([Pair, Ended]);
export type KeptSession = Static<typeof KeptSession>;
export type SessionPair = Static<typeof Pair>;

export const endedSession = (why: WatchEnd): KeptSession => ({ kind: "ended", why });

export function sealSession(seal: Seal, session: KeptSession): string {
  return seal.seal(JSON.stringify(session));
}

/** What was sealed with another `RELAY_SECRET`, or is no session, cannot be used any more: a session that is over. */
export function openSession(seal: Seal, sealed: string): KeptSession {
  const text = seal.open(sealed);
  const session = text === null ? null : parseJson(KeptSession, text);
  return session?.ok ? session.value : endedSession("secret-lost");
}
