import { PROTOCOL } from "@mulkko/shared/live/limits";
import { Bye, Welcome } from "@mulkko/shared/live/server-messages";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { io } from "socket.io-client";

/** A client at the Socket.IO transport that reconnects by itself, as a browser does. */
export interface SocketIoClient {
  /** The relays that welcomed it, in order: one for each connection. */
  readonly nodes: readonly string[];
  /** Codes of its received `bye` messages, in order. */
  readonly farewells: readonly number[];
  close(): void;
}

/** @param transport of its connection; a page polls if no WebSocket opens */
export function openSocketIo(
  url: string,
  token: string,
  transport: "websocket" | "polling" = "websocket",
): SocketIoClient {
  const nodes: string[] = [];
  const farewells: number[] = [];
  const socket = io(url, {
    path: relayPath.socketIo,
    transports: [transport],
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
  socket.on("bye", (message: unknown) => {
    const bye = parse(Bye, message);
    if (!bye.ok) throw new Error(`a farewell breaks the contract: ${bye.path} ${bye.message}`);
    farewells.push(bye.value.code);
  });
  // The relay ends a connection with `bye`; Socket.IO counts that as a requested end, and the client must
  // reconnect itself.
  socket.on("disconnect", (reason) => {
    if (reason === "io server disconnect") socket.connect();
  });
  socket.onAny((_name: string, ...args: unknown[]) => {
    const last = args.at(-1);
    if (typeof last === "function") last();
  });
  return { nodes, farewells, close: () => void socket.disconnect() };
}
