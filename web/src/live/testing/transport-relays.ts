import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Server as SocketIoServer } from "socket.io";

/** A connection, from the relay's side. */
export interface TransportClient {
  /** Received messages, in order. */
  readonly received: readonly unknown[];
  /** Return true after the client has left. */
  isGone(): boolean;
  say(message: { readonly t: string }): void;
  /** Send a marker (SLOW-1) and call back once it is confirmed. */
  mark(confirmed: () => void): void;
  /** Break the connection silently. */
  cut(): void;
}

/** A relay controlled by the test. */
export interface TransportRelay {
  readonly origin: string;
  readonly clients: readonly TransportClient[];
  /** Answer every request by HTTP with 503 from now on. */
  refuse(): void;
  /** Number of requested WebSockets without an answer. */
  readonly unanswered: number;
  close(): Promise<void>;
}

/** Listen on a free port. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Start a relay with events named by their message's `t`, at `/socket.io/`. */
export const startSocketIoRelay = (): Promise<TransportRelay> => startSocketIo(["websocket", "polling"]);

/** Start the same behind a network that refuses each WebSocket. */
export const startPollingRelay = (): Promise<TransportRelay> => startSocketIo(["polling"]);

/** Start the same behind a network that answers no WebSocket. */
export const startSilentPollingRelay = (): Promise<TransportRelay> =>
  startSocketIo(["polling"], "unanswered");

async function startSocketIo(
  transports: ("websocket" | "polling")[],
  upgrades: "answered" | "unanswered" = "answered",
): Promise<TransportRelay> {
  const server = createServer();
  const unanswered: Duplex[] = [];
  if (upgrades === "unanswered") server.on("upgrade", (_request, socket) => unanswered.push(socket));
  const io = new SocketIoServer(server, { path: relayPath.socketIo, transports });
  const clients: TransportClient[] = [];
  io.on("connection", (socket) => {
    const received: unknown[] = [];
    socket.onAny((_name: string, message: unknown) => received.push(message));
    clients.push({
      received,
      isGone: () => socket.disconnected,
      say: (message) => socket.emit(message.t, message),
      mark: (confirmed) => socket.emit(MARKER_EVENT, confirmed),
      cut() {
        const { transport } = socket.conn;
        // A polling client has one open poll, on any network connection, and between two polls none.
        const breakPoll = () => {
          if (transport.writable) server.closeAllConnections();
          else transport.once("ready", breakPoll);
        };
        if (transport.name === "polling") breakPoll();
        else socket.request.socket.destroy();
      },
    });
  });
  const origin = await listen(server);
  return {
    origin,
    clients,
    refuse() {
      server.removeAllListeners("request");
      server.on("request", (_request, response) => response.writeHead(503).end());
    },
    get unanswered() {
      return unanswered.length;
    },
    async close() {
      for (const socket of unanswered) socket.destroy();
      server.closeAllConnections();
      await io.close();
    },
  };
}
