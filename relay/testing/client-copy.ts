import { applyChange, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { Position } from "@mulkko/shared/live/client-messages";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";

/** The state of a client that follows the protocol, and the messages that broke a rule. */
export interface ClientCopy {
  readonly state: Readonly<Record<string, unknown>>;
  readonly position: Position | undefined;
  /** Offsets of the received events, in order. */
  readonly events: readonly number[];
  /** Number of whole snapshots of `devices`. */
  readonly snapshots: number;
  readonly broken: readonly string[];
}

/**
 * Build the copy.
 * @param messages of the connections one after the other
 */
export function clientCopy(messages: readonly ServerMessage[]): ClientCopy {
  const state: StateCopy = new Map();
  const events: number[] = [];
  const broken: string[] = [];
  let position: Position | undefined;
  let inSnapshot = new Set<string>();
  let snapshots = 0;

  const applySnapshot = (message: Extract<ServerMessage, { t: "snapshot" }>): void => {
    if (Array.isArray(message.state)) {
      events.push(...message.state.map(({ offset }) => offset));
      return;
    }
    if (message.part === 1) inSnapshot = new Set();
    for (const [key, value] of Object.entries(message.state)) {
      inSnapshot.add(key);
      state.set(key, value);
    }
    if (message.part < message.of) return;
    for (const key of state.keys()) if (!inSnapshot.has(key)) state.delete(key);
    position = { epoch: message.epoch, offset: message.offset };
    snapshots += 1;
  };
  for (const message of messages) {
    if (message.t === "snapshot") applySnapshot(message);
    if (message.t === "event") {
      const last = events.at(-1);
      if (last !== undefined && message.offset !== last + 1)
        broken.push(`event ${message.offset} after ${last}`);
      events.push(message.offset);
    }
    if (message.t === "change") {
      if (!position || !applyChange(state, position.offset, message).applied) {
        broken.push(`stood at ${position?.offset}, got ${message.from} to ${message.offset}`);
      } else position = { ...position, offset: message.offset };
    }
    if (message.t === "resumed" && message.stream === "devices") {
      if (position?.offset !== message.offset) broken.push(`resumed at ${message.offset}`);
      position = { epoch: message.epoch, offset: message.offset };
    }
  }
  return { state: Object.fromEntries(state), position, events, snapshots, broken };
}
