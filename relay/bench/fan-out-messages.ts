import { type Static, Type } from "typebox";

/** A request to the server of the benchmark. */
export const ServerQuestion = Type.Union([
  Type.Object({ do: Type.Literal("listen") }),
  /** Send `ticks` frames to every session, `tickMs` apart; 0: one after the other. */
  Type.Object({ do: Type.Literal("run"), ticks: Type.Integer(), tickMs: Type.Number() }),
]);
export type ServerQuestion = Static<typeof ServerQuestion>;
export const Listening = Type.Object({ port: Type.Integer() });
/** `sentAt`: start of each tick, ms on the machine's monotonic clock. */
export const Ran = Type.Object({
  cpuMs: Type.Number(),
  frameBytes: Type.Number(),
  sentAt: Type.Array(Type.Number()),
});

/** A request to the clients of the benchmark. */
export const ClientQuestion = Type.Union([
  Type.Object({ do: Type.Literal("connect"), port: Type.Integer(), sessions: Type.Integer() }),
  /** Resolve when every session has had this many frames, or none arrived for a second. */
  Type.Object({ do: Type.Literal("await"), ticks: Type.Integer() }),
  /** Return the latencies of the frames of the last `await`, given the start of each tick. */
  Type.Object({ do: Type.Literal("latencies"), sentAt: Type.Array(Type.Number()) }),
]);
export const Connected = Type.Object({ connected: Type.Integer() });
/** `lastAt`: arrival of the last frame, ms on the machine's monotonic clock. */
export const Counted = Type.Object({ frames: Type.Integer(), lastAt: Type.Number() });
export const Latencies = Type.Object({ p50: Type.Number(), p99: Type.Number(), max: Type.Number() });
