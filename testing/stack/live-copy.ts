import { applyChange, applySnapshotPart, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { Position } from "@mulkko/shared/live/client-messages";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { openPlainWebSocket, type PlainWebSocket } from "./plain-websocket.ts";

/** A client that keeps a copy of its account by the protocol, and records every broken rule. */
export interface LiveCopy {
  readonly state: StateCopy;
  readonly position: Position | undefined;
  /** Events in the order of their arrival, over all connections. */
  readonly events: readonly { readonly offset: number; readonly event: LiveEvent }[];
  readonly snapshots: number;
  /** Number of welcomed connections. */
  readonly connections: number;
  readonly broken: readonly string[];
  readonly node: string;
  /** Open another connection, at any node, and resume. */
  connect(url: string, token: string): Promise<void>;
  disconnect(): void;
  /** Close code of the newest connection. */
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
  let webSocket: PlainWebSocket | undefined;

  const apply = (message: ServerMessage): void => {
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
        // All but the last part of a large step stay at its start.
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
      const opened = await openPlainWebSocket(url, token);
      webSocket = opened;
      for (const message of opened.received) apply(message);
      opened.listen(apply);
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
    disconnect: () => webSocket?.close(),
    closed: () => webSocket?.closed ?? Promise.resolve(0),
  };
}
