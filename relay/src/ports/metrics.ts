import type { CommandState } from "@mulkko/shared/live/devices";

/** The two doors to the live protocol. */
export type Door = "websocket" | "socketio";

/** What a door has done and holds; the gateway writes it in place, as it does so for every frame of every session. */
export interface DoorTally {
  sessions: number;
  slow: number;
  frames: number;
  bytes: number;
}

/** How a call to the farm API ended; `answered` covers every status below 500. */
export type UpstreamOutcome = "answered" | "failed" | "timeout" | "refused";

/**
 * `moved`: the store had lost something, and a new epoch begins with the owner's copy. `stale`: somebody else owns
 * the account by now, and the write was refused. `failed`: the store could not take a flush; it is tried again.
 * `unclaimed`: it could not take the claim of a poll unit, which was not asked.
 */
export type OwnerTrouble = "moved" | "stale" | "failed" | "unclaimed";

/** What the parts of the relay count; read out as Prometheus text at `/metrics`. */
export interface Metrics {
  tally(door: Door): DoorTally;
  sessionEnded(door: Door, code: number): void;
  /** One call to the farm API: `unit` is a poll unit, `proof`, `command` or `proxy`; never a path with ids. */
  upstreamCall(unit: string, outcome: UpstreamOutcome, ms: number): void;
  /** A command reached a state (CMD-1). */
  command(state: CommandState): void;
  breaker(state: "closed" | "half-open" | "open"): void;
  /** A message of a source: it changed something, brought nothing new, or was no valid message. */
  sourceMessage(source: "mqtt" | "poll", outcome: "changed" | "same" | "rejected"): void;
  /** One flush of an account: frames to how many sessions is the gateway's business. */
  flushed(keys: number): void;
  /** What went wrong for an account's owner as it wrote (SUB-1, NODE-2, NODE-5). */
  ownerTrouble(trouble: OwnerTrouble): void;
  /** A session was brought to the present: as it asked, or as it had fallen behind (SUB-3). */
  caughtUp(by: "snapshot" | "resume", cause: "subscribe" | "behind"): void;
  /** A connection was turned away before its upgrade. */
  connectionRefused(reason: "draining" | "origin" | "limit"): void;
}
