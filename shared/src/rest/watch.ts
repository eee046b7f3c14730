import { type Static, Type } from "typebox";
import { Nullable } from "../schema/nullable.ts";

/** Reason for the end of the relay's own session at the farm API (CRED-1). */
export const WATCH_ENDS = ["stopped", "refused", "password-changed", "secret-lost"] as const;

/**
 * Answer of `GET /relay/watch`, `POST /relay/stop-watching` and `POST /relay/start-watching`: the relay's
 * session for a farm while no user is signed in.
 */
export const WatchState = Type.Object({
  /**
   * Kind of session. `relay-session`: the API's own sessions for relays. `sign-in`: one that the relay opened
   * at a user's sign-in. `nobody`: only the tokens of signed-in users, while they last.
   */
  by: Type.Union([Type.Literal("relay-session"), Type.Literal("sign-in"), Type.Literal("nobody")]),
  /** Reason for `nobody`, if it had another value before. */
  ended: Nullable(Type.Enum([...WATCH_ENDS])),
  /** True if `start-watching` is enough; otherwise a new sign-in is needed. */
  mayStart: Type.Boolean(),
});
export type WatchState = Static<typeof WatchState>;
export type WatchEnd = (typeof WATCH_ENDS)[number];

/**
 * Answer of `GET /relay/logout`: the valves that a log-out closes before it is passed on, because the relay
 * could not close them afterwards (CMD-15). Empty where the farm stays watched, or its API ends runs by
 * itself.
 */
export const LogoutCheck = Type.Object({
  closesFirst: Type.Array(
    Type.Object({
      channelId: Type.String(),
      /** NAME-1; null without a name at the relay. */
      name: Nullable(Type.String()),
      number: Nullable(Type.Integer()),
      /** Controller and form that a command to the valve needs; absent from an older relay. */
      controllerId: Type.Optional(Type.String()),
      form: Type.Optional(Type.Union([Type.Literal("controller"), Type.Literal("sensor")])),
    }),
  ),
});
export type LogoutCheck = Static<typeof LogoutCheck>;
