import { type Static, Type } from "typebox";

/** A request to a load generator. */
export const LoadRequest = Type.Union([
  /**
   * Connect more sessions, `atOnce` at a time, shared out among accounts (`token-0`, `token-1`, …). Resolves
   * when all are up to date.
   */
  Type.Object({
    do: Type.Literal("connect"),
    port: Type.Integer(),
    sessions: Type.Integer(),
    accounts: Type.Integer(),
    atOnce: Type.Integer(),
  }),
  /** Close every connection, and wait until all are closed. */
  Type.Object({ do: Type.Literal("drop") }),
  /** Connect the same sessions again, each from its position. */
  Type.Object({ do: Type.Literal("return"), ports: Type.Array(Type.Integer()), atOnce: Type.Integer() }),
  /** Stop reading in all clients. */
  Type.Object({ do: Type.Literal("stop-reading") }),
  /**
   * Resolve when every session has had this many frames since the last `await`, or none arrived for a second.
   */
  Type.Object({ do: Type.Literal("await"), frames: Type.Integer() }),
  /**
   * Return how long after the given moments (ms on the machine's monotonic clock) the frames of the last
   * `await` arrived. `frames` names the frame of each moment.
   */
  Type.Object({
    do: Type.Literal("latencies"),
    sentAt: Type.Array(Type.Number()),
    frames: Type.Array(Type.Integer()),
  }),
]);
export type LoadRequest = Static<typeof LoadRequest>;

/** `resumed`: the number of sessions that continued from their position, without a snapshot. */
export const Connected = Type.Object({
  connected: Type.Integer(),
  resumed: Type.Integer(),
  ms: Type.Number(),
  slowestMs: Type.Number(),
});
export const Done = Type.Object({});
/**
 * `bodies`: the frames of one session; `fewest` and `most`: of any session; `bytes`: of a frame, on average.
 */
export const Counted = Type.Object({
  frames: Type.Integer(),
  fewest: Type.Integer(),
  most: Type.Integer(),
  bytes: Type.Number(),
  lastAt: Type.Number(),
  bodies: Type.Array(Type.String()),
});
export type Counted = Static<typeof Counted>;
/** `all`: each session's; `last`: for each moment, that of the slowest session. */
export const Latencies = Type.Object({ all: Type.Array(Type.Number()), last: Type.Array(Type.Number()) });
export type Latencies = Static<typeof Latencies>;
