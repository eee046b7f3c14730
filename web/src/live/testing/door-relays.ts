import { createServer, type Server } from "node:http";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Server as SocketIoServer } from "socket.io";
import { WebSocketServer } from "ws";

/** A connection as the relay sees it. */
export interface DoorClient {
  /** Messages that came, in order. */
  readonly received: readonly unknown[];
  /** The client is no longer there. */
  isGone(): boolean;
  say(message: { readonly t: string }): void;
  /** Sends a marker (SLOW-1) and calls back once it is confirmed. */
  mark(confirmed: () => void): void;
  /** Breaks the connection without a word. */
  cut(): void;
}

/** A relay that says what the test says, behind one of the doors. */
export interface DoorRelay {
  readonly origin: string;
  readonly clients: readonly DoorClient[];
  close(): Promise<void>;
}

/** Listens on a port of its own. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Text frames at `/live`. */
export async function startWebSocketRelay(): Promise<DoorRelay> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, path: relayPath.webSocket });
  const clients: DoorClient[] = [];
  sockets.on("connection", (socket) => {
    const received: unknown[] = [];
    socket.on("message", (data) => received.push(JSON.parse(String(data))));
    clients.push({
      received,
      isGone: () => socket.readyState === socket.CLOSED,
      say: (message) => socket.send(JSON.stringify(message)),
      mark(confirmed) {
        socket.once("pong", confirmed);
        socket.ping("1");
      },
      cut: () => socket.terminate(),
    });
  });
  const origin = await listen(server);
  return {
    origin,
    clients,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Events named by their message's `t`, at `/socket.io/`. */
export async function startSocketIoRelay(): Promise<DoorRelay> {
  const server = createServer();
  const io = new SocketIoServer(server, { path: relayPath.socketIo, transports: ["websocket"] });
  const clients: DoorClient[] = [];
  io.on("connection", (socket) => {
    const received: unknown[] = [];
    socket.onAny((_name: string, message: unknown) => received.push(message));
    clients.push({
      received,
      isGone: () => socket.disconnected,
      say: (message) => socket.emit(message.t, message),
      mark: (confirmed) => socket.emit(MARKER_EVENT, confirmed),
      cut: () => socket.request.socket.destroy(),
    });
  });
  const origin = await listen(server);
  return {
    origin,
    clients,
    async close() {
      await io.close();
    },
  };
}
