import { type Static, Type } from "typebox";

/** What a server of a benchmark is asked. */
export const ServerQuestion = Type.Union([
  Type.Object({ do: Type.Literal("listen") }),
  /** The relay: its name among the nodes of its store. */
  Type.Object({ do: Type.Literal("name") }),
  /** The relay: ends in good order (LIVE-3). */
  Type.Object({ do: Type.Literal("close") }),
  Type.Object({ do: Type.Literal("cpu") }),
  /** After a collection of everything that is garbage. */
  Type.Object({ do: Type.Literal("memory") }),
  /** From now on it is noted when each frame has been written to the last session. */
  Type.Object({ do: Type.Literal("note-writes") }),
  /** What was noted since the last time. */
  Type.Object({ do: Type.Literal("writes") }),
  /** The bare servers: every publication sends a frame of so many bytes, in the place of its own text. */
  Type.Object({ do: Type.Literal("prepare"), bytes: Type.Integer() }),
  /** The bare servers: sends the prepared frame so many times. */
  Type.Object({ do: Type.Literal("send"), frames: Type.Integer() }),
]);
export type ServerQuestion = Static<typeof ServerQuestion>;

export const Listening = Type.Object({ port: Type.Integer() });
export const Name = Type.Object({ id: Type.String() });
export const Cpu = Type.Object({ ms: Type.Number() });
/** Bytes: of the process, of the JavaScript heap, and of buffers beside it. */
export const Memory = Type.Object({ rss: Type.Number(), heap: Type.Number(), buffers: Type.Number() });
export type Memory = Static<typeof Memory>;
/** ms on the machine's monotonic clock. */
export const Writes = Type.Object({ at: Type.Array(Type.Number()) });
export const Done = Type.Object({});
