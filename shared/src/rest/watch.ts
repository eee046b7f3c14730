import { type Static, Type } from "typebox";
import { Nullable } from "../schema/nullable.ts";

/** Why a session that the relay had of its own at the farm API is over (CRED-1). */
export const WATCH_ENDS = ["stopped", "refused", "password-changed", "secret-lost"] as const;

/**
 * Answer of `GET /relay/watch`, `POST /relay/stop-watching` and `POST /relay/start-watching`: whether the farm is
 * watched while nobody is signed in.
 */
export const WatchState = Type.Object({
  /**
   * By what: `relay-session` the API's own sessions for relays, `sign-in` one that the relay made when somebody
   * signed in, `nobody`: tokens of those who are signed in, while they last.
   */
  by: Type.Union([Type.Literal("relay-session"), Type.Literal("sign-in"), Type.Literal("nobody")]),
  /** Why it is `nobody`, where it was otherwise before. */
  ended: Nullable(Type.Enum([...WATCH_ENDS])),
  /** True if `start-watching` would do; otherwise only a new sign-in does. */
  mayStart: Type.Boolean(),
});
export type WatchState = Static<typeof WatchState>;
export type WatchEnd = (typeof WATCH_ENDS)[number];
