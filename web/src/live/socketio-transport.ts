import { relayPath } from "@mulkko/shared/rest/routes";
import { io, type Socket } from "socket.io-client";
import type { Transport } from "./transport.ts";

/** Time after which an unopened WebSocket counts as blocked on the way, ms. */
export const WEBSOCKET_WITHIN_MS = 4_000;

/**
 * Create the relay's Socket.IO transport: an event's name is its message's `t`, its payload the message. One
 * attempt tries a WebSocket, then HTTP polling, which passes networks that block WebSockets. Socket.IO's own
 * reconnection is off because LIVE-2 requires another one. A marker requests an acknowledgement (SLOW-1),
 * sent after the message was processed.
 *
 * @param origin of the relay, such as `https://farm.example`
 */
export function createSocketIoTransport(
  origin: string,
  websocketWithinMs: number = WEBSOCKET_WITHIN_MS,
): Transport {
  return {
    open(listener) {
      let over = false;
      let socket = attempt("websocket");

      function attempt(transport: "websocket" | "polling"): Socket {
        const fresh = io(origin, {
          path: relayPath.socketIo,
          transports: [transport],
          upgrade: false,
          reconnection: false,
          forceNew: true,
          ...(transport === "websocket" && { timeout: websocketWithinMs }),
        });
        fresh.on("connect", () => {
          if (!over) listener.opened();
        });
        fresh.on("connect_error", () => {
          if (over) return;
          leave(fresh);
          if (transport === "websocket") socket = attempt("polling");
          else closed();
        });
        fresh.on("disconnect", closed);
        fresh.onAny((_name: string, ...args: unknown[]) => {
          const last = args.at(-1);
          if (args.length > 0 && typeof args[0] !== "function") listener.message(args[0]);
          if (typeof last === "function") last();
        });
        return fresh;
      }
      function close(): void {
        over = true;
        leave(socket);
      }
      function closed(): void {
        if (over) return;
        close();
        listener.closed();
      }
      return {
        send(message) {
          socket.emit(message.t, message);
        },
        close,
      };
    },
  };
}

function leave(socket: Socket): void {
  socket.offAny();
  socket.off();
  socket.disconnect();
}
