import type { Position } from "@mulkko/shared/live/client-messages";
import type { LiveEvent } from "@mulkko/shared/live/events";

/** Plain values of the `devices` stream; what a key may hold is in `@mulkko/shared/live/devices`. */
export type StateValue = Readonly<Record<string, unknown>>;

/**
 * One step of a stream, ready to be sent: `bytes` is the JSON text of the message, made once and sent as it is
 * to every session that stands at `from` (SUB-6).
 */
export interface Frame {
  readonly from: number;
  readonly offset: number;
  /** Keys that it touches; empty for events. */
  readonly keys: readonly string[];
  readonly bytes: Buffer;
}

/** What brings a reader from a position to the present (SUB-3). */
export type CatchUp =
  | {
      kind: "resume";
      epoch: string;
      from: number;
      offset: number;
      set: Record<string, StateValue>;
      del: string[];
    }
  | { kind: "snapshot"; epoch: string; offset: number; state: Record<string, StateValue> };

/** What brings a reader of events to the present; `missed` is oldest first. */
export type EventCatchUp =
  | { kind: "resume"; epoch: string; offset: number; missed: LoggedEvent[] }
  | { kind: "snapshot"; epoch: string; offset: number; newest: LoggedEvent[] };

export interface LoggedEvent {
  readonly offset: number;
  readonly event: LiveEvent;
}

/** This node's copy of an account's `devices` stream. All calls are synchronous: attaching cannot lose a frame. */
export interface DeviceStream {
  readonly epoch: string;
  readonly offset: number;
  /** Without a position: a snapshot. `keys` narrows both forms to tracked keys. */
  changesSince(position: Position | undefined, keys?: ReadonlySet<string>): CatchUp;
  /** Frames from now on, in order. Returns how to stop. */
  listen(listener: (frame: Frame) => void): () => void;
}

/** This node's copy of an account's `events` stream. */
export interface EventStream {
  readonly epoch: string;
  readonly offset: number;
  /** `limit` bounds `missed`; a reader asks again from the last one it got. */
  eventsSince(position: Position | undefined, limit: number): EventCatchUp;
  listen(listener: (frame: Frame) => void): () => void;
}
