import { type Static, Type } from "typebox";

/** What a crowd of clients is asked. */
export const CrowdQuestion = Type.Union([
  /**
   * So many more sessions, `atOnce` at a time, shared out among so many accounts (`token-0`, `token-1`, …). Resolves
   * when all are up to date.
   */
  Type.Object({
    do: Type.Literal("connect"),
    port: Type.Integer(),
    sessions: Type.Integer(),
    accounts: Type.Integer(),
    atOnce: Type.Integer(),
  }),
  /** Cuts every connection, and waits until all are gone. */
  Type.Object({ do: Type.Literal("drop") }),
  /** The same sessions again, each from where it stood. */
  Type.Object({ do: Type.Literal("return"), ports: Type.Array(Type.Integer()), atOnce: Type.Integer() }),
  /** From now on nobody reads. */
  Type.Object({ do: Type.Literal("stop-reading") }),
  /** Resolves when every session has had so many frames since the last `await`, or none came for a second. */
  Type.Object({ do: Type.Literal("await"), frames: Type.Integer() }),
  /**
   * How long after the given moments (ms on the machine's monotonic clock) the frames of the last `await` came;
   * `frames` says which of them, for each moment.
   */
  Type.Object({
    do: Type.Literal("latencies"),
    sentAt: Type.Array(Type.Number()),
    frames: Type.Array(Type.Integer()),
  }),
]);
export type CrowdQuestion = Static<typeof CrowdQuestion>;

/** `resumed`: those that went on from where they stood, without a snapshot. */
export const Connected = Type.Object({
  connected: Type.Integer(),
  resumed: Type.Integer(),
  ms: Type.Number(),
  slowestMs: Type.Number(),
});
export const Done = Type.Object({});
/** `bodies`: the frames of one session; `fewest` and `most`: of any session; `bytes`: of a frame, on average. */
export const Counted = Type.Object({
  frames: Type.Integer(),
  fewest: Type.Integer(),
  most: Type.Integer(),
  bytes: Type.Number(),
  lastAt: Type.Number(),
  bodies: Type.Array(Type.String()),
});
export type Counted = Static<typeof Counted>;
/** `all`: each session's; `last`: of each moment, the session that had to wait longest. */
export const Latencies = Type.Object({ all: Type.Array(Type.Number()), last: Type.Array(Type.Number()) });
export type Latencies = Static<typeof Latencies>;
