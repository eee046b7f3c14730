import type { CommandState } from "@mulkko/shared/live/devices";

/** The two transports of the live protocol. */
export type Transport = "websocket" | "socketio";

/** Counters and gauges of a transport; the gateway writes them in place, once per frame and session. */
export interface TransportTally {
  sessions: number;
  slow: number;
  frames: number;
  bytes: number;
}

/** Outcome of a call to the farm API; `answered` covers every status below 500. */
export type UpstreamOutcome = "answered" | "failed" | "timeout" | "refused";

/**
 * `moved`: the store had lost state, and a new epoch begins with the owner's copy. `stale`: another node
 * owns the account now, and the write was refused. `failed`: the store did not accept a flush; it is
 * retried. `unclaimed`: the store did not accept the claim of a poll unit, which was not asked.
 */
export type OwnerTrouble = "moved" | "stale" | "failed" | "unclaimed";

/** Counters of the relay, exported as Prometheus text at `/metrics`. */
export interface Metrics {
  tally(transport: Transport): TransportTally;
  sessionEnded(transport: Transport, code: number): void;
  /**
   * Count one call to the farm API: `unit` is a poll unit, `proof`, `command` or `proxy`, never a path with
   * ids.
   */
  upstreamCall(unit: string, outcome: UpstreamOutcome, ms: number): void;
  /** Count a command that reached a state (CMD-1). */
  command(state: CommandState): void;
  availability(state: "up" | "probing" | "down"): void;
  /** Count fields and rows of the farm API that were ignored. */
  oddFields(unit: string, count: number): void;
  /** Count a message of a source: it changed state, contained nothing new, or was invalid. */
  sourceMessage(source: "mqtt" | "poll", outcome: "changed" | "same" | "rejected" | "ahead"): void;
  /** Count one flush of an account; the gateway counts its frames to sessions. */
  flushed(keys: number): void;
  /** Count a write failure of an account's owner (SUB-1, NODE-2, NODE-5). */
  ownerTrouble(trouble: OwnerTrouble): void;
  /** Count a session that caught up: on its own request, or because it had fallen behind (SUB-3). */
  caughtUp(by: "snapshot" | "resume", cause: "subscribe" | "behind"): void;
  /** Count a connection that was refused before its upgrade. */
  connectionRefused(reason: "draining" | "origin" | "limit"): void;
}
