import { type Static, Type } from "typebox";

/** What the server of the benchmark is asked. */
export const ServerQuestion = Type.Union([
  Type.Object({ do: Type.Literal("listen") }),
  /** Sends `ticks` frames to every session, `tickMs` apart; 0: one after the other. */
  Type.Object({ do: Type.Literal("run"), ticks: Type.Integer(), tickMs: Type.Number() }),
]);
export type ServerQuestion = Static<typeof ServerQuestion>;
export const Listening = Type.Object({ port: Type.Integer() });
/** `sentAt`: when each tick began, ms on the machine's monotonic clock. */
export const Ran = Type.Object({
  cpuMs: Type.Number(),
  frameBytes: Type.Number(),
  sentAt: Type.Array(Type.Number()),
});

/** What the clients of the benchmark are asked. */
export const ClientQuestion = Type.Union([
  Type.Object({ do: Type.Literal("connect"), port: Type.Integer(), sessions: Type.Integer() }),
  /** Resolves when every session has had so many frames, or none came for a second. */
  Type.Object({ do: Type.Literal("await"), ticks: Type.Integer() }),
  /** How long the frames of the last `await` were under way, given when each tick began. */
  Type.Object({ do: Type.Literal("latencies"), sentAt: Type.Array(Type.Number()) }),
]);
export const Connected = Type.Object({ connected: Type.Integer() });
/** `lastAt`: when the last frame came, ms on the machine's monotonic clock. */
export const Counted = Type.Object({ frames: Type.Integer(), lastAt: Type.Number() });
export const Latencies = Type.Object({ p50: Type.Number(), p99: Type.Number(), max: Type.Number() });
