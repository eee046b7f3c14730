import type { Position } from "@mulkko/shared/live/client-messages";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { EventMessage } from "@mulkko/shared/live/server-messages";

/** Plain values of the `devices` stream; `@mulkko/shared/live/devices` defines the values of each key. */
export type StateValue = Readonly<Record<string, unknown>>;

/**
 * One step of a stream, ready to send. `bytes` is the JSON text of the message, serialised once and sent
 * unchanged to every session at `from` (SUB-6).
 */
export interface Frame {
  readonly from: number;
  readonly offset: number;
  /** Keys that the step changes; empty for events. */
  readonly keys: readonly string[];
  readonly bytes: Buffer;
}

/** The messages that bring a reader from a position to the present (SUB-3). */
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

/** The messages that bring a reader of events to the present; `missed` is oldest first. */
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
  /** Without a position: return a snapshot. `keys` narrows both forms to tracked keys. */
  changesSince(position: Position | undefined, keys?: ReadonlySet<string>): CatchUp;
  /** Subscribe to later frames, in order. Return the unsubscribe function. */
  listen(listener: (frame: Frame) => void): () => void;
}

/** This node's copy of an account's `events` stream. */
export interface EventStream {
  readonly epoch: string;
  readonly offset: number;
  /** `limit` bounds `missed`; a reader continues from the last event it received. */
  eventsSince(position: Position | undefined, limit: number): EventCatchUp;
  listen(listener: (frame: Frame) => void): () => void;
}

/** Return the present values of a stream by key; `keys` narrows them. */
export function stateOf(
  stream: Pick<DeviceStream, "changesSince">,
  keys?: ReadonlySet<string>,
): Readonly<Record<string, StateValue>> {
  const step = stream.changesSince(undefined, keys);
  return step.kind === "snapshot" ? step.state : step.set;
}

/** Build the `event` message of one logged event. */
export function eventFrame(logged: LoggedEvent): Frame {
  const message: EventMessage = { t: "event", stream: "events", offset: logged.offset, event: logged.event };
  return {
    from: logged.offset - 1,
    offset: logged.offset,
    keys: [],
    bytes: Buffer.from(JSON.stringify(message)),
  };
}

const NOTHING = Buffer.alloc(0);

/**
 * Return a frame that follows no position: every session that receives it catches up by `changesSince`. It
 * is for a copy that changed other than by a step.
 */
export const voidingFrame = (offset: number): Frame => ({ from: -1, offset, keys: [], bytes: NOTHING });
