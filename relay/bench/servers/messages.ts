import { type Static, Type } from "typebox";

/** A request to a server of a benchmark. */
export const ServerQuestion = Type.Union([
  Type.Object({ do: Type.Literal("listen") }),
  /** The relay: return its name among the nodes of its store. */
  Type.Object({ do: Type.Literal("name") }),
  /** The relay: shut down in order (LIVE-3). */
  Type.Object({ do: Type.Literal("close") }),
  Type.Object({ do: Type.Literal("cpu") }),
  /** Return the memory after a garbage collection. */
  Type.Object({ do: Type.Literal("memory") }),
  /** Record from now on when each frame was written for the last session. */
  Type.Object({ do: Type.Literal("note-writes") }),
  /** Return the records since the last request. */
  Type.Object({ do: Type.Literal("writes") }),
  /** The bare servers: replace every publication by a frame of this many bytes. */
  Type.Object({ do: Type.Literal("prepare"), bytes: Type.Integer() }),
  /** The bare servers: send the prepared frame this many times. */
  Type.Object({ do: Type.Literal("send"), frames: Type.Integer() }),
]);
export type ServerQuestion = Static<typeof ServerQuestion>;

export const Listening = Type.Object({ port: Type.Integer() });
export const Name = Type.Object({ id: Type.String() });
export const Cpu = Type.Object({ ms: Type.Number() });
/** Bytes of the process, of the JavaScript heap, and of buffers outside it. */
export const Memory = Type.Object({ rss: Type.Number(), heap: Type.Number(), buffers: Type.Number() });
export type Memory = Static<typeof Memory>;
/** ms on the machine's monotonic clock. */
export const Writes = Type.Object({ at: Type.Array(Type.Number()) });
export const Done = Type.Object({});
