import type { ClientMessage } from "@mulkko/shared/live/client-messages";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import { relayPath } from "@mulkko/shared/rest/routes";
import { io } from "socket.io-client";

/** Callbacks of a transport. After `closed` there are no more. */
export interface TransportListener {
  opened(): void;
  /** A received message, not validated yet. */
  message(raw: unknown): void;
  closed(): void;
}

/** One connection to the relay. Closing it calls no listener. */
export interface TransportConnection {
  send(message: ClientMessage): void;
  close(): void;
}

/** A way to connect to the relay; each call is one attempt, without reconnection. */
export interface Transport {
  open(listener: TransportListener): TransportConnection;
}

/** Time after which an unopened WebSocket counts as blocked on the way, ms. */
export const WEBSOCKET_WITHIN_MS = 4_000;

/** Timeout of an attempt by polling alone, ms. */
const POLLING_WITHIN_MS = 20_000;

/**
 * Create the relay's Socket.IO transport: an event's name is its message's `t`, its payload the message.
 *
 * - An attempt tries a WebSocket, then HTTP polling where the network refuses it (DOOR-2). `tryAllTransports`
 *   notices refusals only: after an attempt without an answer the next ones use polling alone, until one fails.
 * - Socket.IO's own reconnection is off: LIVE-2 and LIVE-3 prescribe when to connect again.
 * - A marker requests an acknowledgement (SLOW-1), sent after the messages before it were processed.
 *
 * @param origin of the relay, such as `https://farm.example`
 */
export function createSocketIoTransport(
  origin: string,
  websocketWithinMs: number = WEBSOCKET_WITHIN_MS,
): Transport {
  let isUnanswered = false;
  return {
    open(listener) {
      const socket = io(origin, {
        path: relayPath.socketIo,
        transports: isUnanswered ? ["polling"] : ["websocket", "polling"],
        tryAllTransports: true,
        upgrade: false,
        timeout: isUnanswered ? POLLING_WITHIN_MS : websocketWithinMs,
        reconnection: false,
        forceNew: true,
      });
      const close = () => {
        socket.offAny();
        socket.off();
        socket.disconnect();
      };
      const closed = () => {
        close();
        listener.closed();
      };
      socket.on("connect", listener.opened);
      socket.on("connect_error", ({ message }) => {
        isUnanswered = message === "timeout" && !isUnanswered;
        closed();
      });
      socket.on("disconnect", closed);
      socket.onAny((name: string, message: unknown) => {
        if (name !== MARKER_EVENT) listener.message(message);
      });
      socket.on(MARKER_EVENT, (confirm: unknown) => {
        if (typeof confirm === "function") confirm();
      });
      return { send: (message) => void socket.emit(message.t, message), close };
    },
  };
}
