import { PROTOCOL } from "@mulkko/shared/live/limits";
import { Welcome } from "@mulkko/shared/live/server-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { io } from "socket.io-client";

/** A client at the Socket.IO door that comes back by itself, as a browser does. */
export interface SocketIoClient {
  /** The relays that welcomed it, in order: one for each connection. */
  readonly nodes: readonly string[];
  close(): void;
}

/** Connects as the page does: WebSocket alone. */
export function openSocketIo(url: string, token: string): SocketIoClient {
  const nodes: string[] = [];
  const socket = io(url, {
    path: relayPath.socketIo,
    transports: ["websocket"],
    reconnectionDelay: 200,
    reconnectionDelayMax: 1_000,
    forceNew: true,
  });
  socket.on("connect", () => socket.emit("hello", { t: "hello", protocol: PROTOCOL, token }));
  socket.on("welcome", (message: unknown) => {
    const welcome = parse(Welcome, message);
    if (!welcome.ok) throw new Error(`a welcome breaks the contract: ${welcome.path} ${welcome.message}`);
    nodes.push(welcome.value.node);
  });
  // The relay ends a connection with `bye`; Socket.IO takes that for a wish, and the client has to come back itself.
  socket.on("disconnect", (reason) => {
    if (reason === "io server disconnect") socket.connect();
  });
  socket.onAny((_name: string, ...args: unknown[]) => {
    const last = args.at(-1);
    if (typeof last === "function") last();
  });
  return { nodes, close: () => void socket.disconnect() };
}
