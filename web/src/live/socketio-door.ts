import { relayPath } from "@mulkko/shared/rest/routes";
import { io } from "socket.io-client";
import type { Door } from "./door.ts";

/**
 * The relay's Socket.IO door: an event's name is its message's `t`, its payload the message. Socket.IO's own
 * reconnecting is off, because LIVE-2 asks for another one. A marker asks for an acknowledgement (SLOW-1); it is
 * given after the message was taken.
 *
 * @param origin of the relay, such as `https://farm.example`
 */
export function createSocketIoDoor(origin: string): Door {
  return {
    open(listener) {
      const socket = io(origin, {
        path: relayPath.socketIo,
        transports: ["websocket"],
        reconnection: false,
        forceNew: true,
      });
      let over = false;
      const close = () => {
        over = true;
        socket.offAny();
        socket.disconnect();
      };
      const closed = () => {
        if (over) return;
        close();
        listener.closed();
      };
      socket.on("connect", () => {
        if (!over) listener.opened();
      });
      socket.on("connect_error", closed);
      socket.on("disconnect", closed);
      socket.onAny((_name: string, ...args: unknown[]) => {
        const last = args.at(-1);
        if (args.length > 0 && typeof args[0] !== "function") listener.message(args[0]);
        if (typeof last === "function") last();
      });
      return {
        send(message) {
          socket.emit(message.t, message);
        },
        close,
      };
    },
  };
}
