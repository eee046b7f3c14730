import { relayPath } from "@mulkko/shared/rest/routes";
import type { Transport } from "./transport.ts";

/** Invalid JSON becomes a message that matches no schema. */
function jsonOf(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Create the WebSocket transport: one JSON message per text frame. The browser itself answers the pings by
 * which the relay measures delivery (SLOW-1).
 *
 * @param origin of the relay, such as `https://farm.example`
 */
export function createWebSocketTransport(origin: string): Transport {
  const url = `${origin.replace(/^http/, "ws")}${relayPath.webSocket}`;
  return {
    open(listener) {
      const socket = new WebSocket(url);
      let over = false;
      socket.onopen = () => {
        if (!over) listener.opened();
      };
      socket.onmessage = ({ data }) => {
        if (!over) listener.message(jsonOf(data));
      };
      // An error is always followed by this event.
      socket.onclose = () => {
        if (over) return;
        over = true;
        listener.closed();
      };
      return {
        send(message) {
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
        },
        close() {
          over = true;
          socket.close();
        },
      };
    },
  };
}
