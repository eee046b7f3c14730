import { applyChange, applySnapshotPart, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { Position } from "@mulkko/shared/live/client-messages";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { openPlainDoor, type PlainDoor } from "./plain-door.ts";

/** A client that keeps a copy of its account as the protocol says, and notes whatever breaks a rule. */
export interface LiveCopy {
  readonly state: StateCopy;
  readonly position: Position | undefined;
  /** Events in the order in which they came, over all connections. */
  readonly events: readonly { readonly offset: number; readonly event: LiveEvent }[];
  readonly snapshots: number;
  /** Connections that it was welcomed on. */
  readonly connections: number;
  readonly broken: readonly string[];
  readonly node: string;
  /** Opens another connection, at any node, and goes on from where it was. */
  connect(url: string, token: string): Promise<void>;
  disconnect(): void;
  /** Code of the newest connection's end. */
  closed(): Promise<number>;
}

export function createLiveCopy(): LiveCopy {
  const state: StateCopy = new Map();
  const events: { offset: number; event: LiveEvent }[] = [];
  const broken: string[] = [];
  let position: Position | undefined;
  let eventPosition: Position | undefined;
  let partial: Position | undefined;
  let snapshots = 0;
  let connections = 0;
  let node = "";
  let door: PlainDoor | undefined;

  const take = (message: ServerMessage): void => {
    switch (message.t) {
      case "welcome":
        connections += 1;
        node = message.node;
        break;
      case "snapshot":
        if (message.stream === "events") {
          eventPosition = { epoch: message.epoch, offset: message.offset };
          break;
        }
        if (Array.isArray(message.state)) break;
        applySnapshotPart(state, message.part, message.state);
        partial = { epoch: message.epoch, offset: message.offset };
        if (message.part === message.of) {
          snapshots += 1;
          position = partial;
        }
        break;
      case "change": {
        if (position === undefined) break;
        // All but the last part of a large step stay at its beginning.
        if (message.offset <= position.offset && message.offset !== message.from)
          broken.push(`again: ${message.offset}`);
        if (!applyChange(state, position.offset, message).applied) {
          broken.push(`gap: stood at ${position.offset}, got ${message.from} to ${message.offset}`);
          break;
        }
        position = { epoch: position.epoch, offset: message.offset };
        break;
      }
      case "event":
        if (eventPosition && message.offset !== eventPosition.offset + 1) {
          broken.push(`event ${message.offset} after ${eventPosition.offset}`);
        }
        if (eventPosition) eventPosition = { ...eventPosition, offset: message.offset };
        events.push({ offset: message.offset, event: message.event });
        break;
      case "resumed": {
        const moved = { epoch: message.epoch, offset: message.offset };
        if (message.stream === "devices") position = moved;
        else eventPosition = moved;
        break;
      }
      case "beat":
      case "link":
      case "error":
      case "bye":
        break;
    }
  };

  return {
    state,
    events,
    broken,
    get position() {
      return position;
    },
    get snapshots() {
      return snapshots;
    },
    get connections() {
      return connections;
    },
    get node() {
      return node;
    },
    async connect(url, token) {
      const opened = await openPlainDoor(url, token);
      door = opened;
      for (const message of opened.heard) take(message);
      opened.listen(take);
      opened.send({ t: "subscribe", stream: "devices", ...(position && { position }) });
      opened.send({
        t: "subscribe",
        stream: "events",
        ...(eventPosition && { position: eventPosition }),
      });
      await opened.waitFor(
        ({ t, ...rest }) =>
          (t === "snapshot" || t === "resumed") && "stream" in rest && rest.stream === "devices",
      );
    },
    disconnect: () => door?.close(),
    closed: () => door?.closed ?? Promise.resolve(0),
  };
}
