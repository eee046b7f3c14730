import { relayPath } from "@mulkko/shared/rest/routes";
import type { Door } from "./door.ts";

/** Text that is no JSON is a message that fits no schema. */
function jsonOf(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The relay's plain door: one JSON message a text frame. The browser itself answers the pings by which the relay
 * knows how much has arrived (SLOW-1).
 *
 * @param origin of the relay, such as `https://farm.example`
 */
export function createWebSocketDoor(origin: string): Door {
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
      // An error is always followed by this.
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
