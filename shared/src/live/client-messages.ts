import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { LIVE_LIMITS } from "./limits.ts";

const Token = Type.String({ minLength: 1, maxLength: 4096 });

/** Streams of this protocol version; `fleet` is for administrators. */
export const StreamName = Type.Union([
  Type.Literal("devices"),
  Type.Literal("events"),
  Type.Literal("fleet"),
]);
export type StreamName = Static<typeof StreamName>;

/** Streams that hold values by key; the others hold a log. */
export type StateStream = Exclude<StreamName, "events">;

/** Position of a client in a stream: `offset` frames after the start of `epoch` (SUB-1). */
export const Position = Type.Object({
  epoch: Type.String({ minLength: 1, maxLength: 64 }),
  offset: Type.Integer({ minimum: 0 }),
});
export type Position = Static<typeof Position>;

export const Hello = Type.Object({ t: Type.Literal("hello"), protocol: Type.Integer(), token: Token });
export const Auth = Type.Object({ t: Type.Literal("auth"), token: Token });
export const Subscribe = Type.Object({
  t: Type.Literal("subscribe"),
  stream: StreamName,
  position: Type.Optional(Position),
  track: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 160 }), { maxItems: LIVE_LIMITS.trackedKeys }),
  ),
  /** An administrator reads another account's `devices` or `events` (HS-2). */
  as: Type.Optional(Id),
});
export const Unsubscribe = Type.Object({ t: Type.Literal("unsubscribe"), stream: StreamName });
/** The page is visible to a user (POLL-1). */
export const Active = Type.Object({ t: Type.Literal("active") });

/** Asks for a `beat` with the same number: the proof that both directions of the line pass (LIVE-1). */
export const Ask = Type.Object({ t: Type.Literal("ask"), n: Type.Integer({ minimum: 0 }) });

/** All messages of a client. */
export const ClientMessage = Type.Union([Hello, Auth, Subscribe, Unsubscribe, Active, Ask]);
export type ClientMessage = Static<typeof ClientMessage>;
export type Hello = Static<typeof Hello>;
export type Subscribe = Static<typeof Subscribe>;
