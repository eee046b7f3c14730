import { type Static, Type } from "typebox";

/** What the server of the benchmark is asked. */
export const ServerQuestion = Type.Union([
  Type.Object({ do: Type.Literal("listen") }),
  /** Sends `ticks` frames to every session. */
  Type.Object({ do: Type.Literal("run"), ticks: Type.Integer(), tickMs: Type.Number() }),
]);
export type ServerQuestion = Static<typeof ServerQuestion>;
export const Listening = Type.Object({ port: Type.Integer() });
export const Ran = Type.Object({ cpuMs: Type.Number(), frameBytes: Type.Number() });

/** What the clients of the benchmark are asked. */
export const ClientQuestion = Type.Union([
  Type.Object({ do: Type.Literal("connect"), port: Type.Integer(), sessions: Type.Integer() }),
  /** Resolves when so many frames have come since the last question, or none came for a second. */
  Type.Object({ do: Type.Literal("await"), frames: Type.Integer() }),
]);
export const Connected = Type.Object({ connected: Type.Integer() });
export const Counted = Type.Object({ frames: Type.Integer() });
