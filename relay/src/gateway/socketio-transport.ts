import { randomUUID } from "node:crypto";
import type { Server as HttpServer, IncomingMessage } from "node:http";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import { relayPath } from "@mulkko/shared/rest/routes";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import type { FastifyInstance } from "fastify";
import { Server, type Socket } from "socket.io";
import type { Admission } from "./admission.ts";
import type { Session, TransportConnection } from "./connection.ts";
import { type Outgoing, textFrame } from "./outgoing.ts";
import type { SessionDeps } from "./session.ts";

interface Options extends Pick<SessionDeps, "clock" | "limits"> {
  /** Never listens: it passes on the upgrades of this transport. */
  readonly upgrades: HttpServer;
  readonly admission: Pick<Admission, "poll" | "opened">;
  open(connection: TransportConnection): Session;
}

type Connection = Socket["conn"];

/**
 * Response header that names a new polling connection. Its requests must reach the node that opened it, so
 * a load balancer reads that node from this header (NODE-1).
 */
export const POLLING_HEADER = "x-polling-connection";

/** Number of whole frames for which one request of a polling client has room (HS-5). */
const BODY_FRAMES = 2;

/** The packet of a message, and the WebSocket frame of that packet. */
interface Packet {
  readonly text: string;
  readonly options: { readonly compress: false; readonly wsPreEncodedFrame: readonly [Buffer] };
}

/**
 * Create the encoder. Engine.IO accepts a finished WebSocket frame besides the packet, as Socket.IO's own
 * broadcasts use it. So a message is encoded once for all sessions (DOOR-1). `2` is an event, `4` a message
 * around it.
 */
function createPackets(): (message: Outgoing) => Packet {
  const made = new WeakMap<Outgoing, Packet>();
  return (message) => {
    const known = made.get(message);
    if (known) return known;
    const text = `2["${message.t}",${message.bytes.toString("utf8")}]`;
    const frame = textFrame(Buffer.from(`4${text}`));
    const fresh: Packet = { text, options: { compress: false, wsPreEncodedFrame: [frame] } };
    made.set(message, fresh);
    return fresh;
  };
}

/**
 * Counts packets that a client has no reason to send: messages that are neither an event nor an expected
 * acknowledgement, except the one that opens its session, and more pongs than pings.
 */
interface PacketGuard {
  explained(): void;
  /**
   * Return true for the first session of the connection. Socket.IO would accept several requests at the same
   * time.
   */
  claim(): boolean;
}

function guardPackets(
  connection: Connection,
  { clock, limits }: Pick<Options, "clock" | "limits">,
): PacketGuard {
  let unexplained = 0;
  let isClaimed = false;
  const pongs = createRateLimit(clock, limits.messageWindowMs);
  connection.on("packet", ({ type, data }: { type: string; data?: unknown }) => {
    if (typeof data === "string" && Buffer.byteLength(data) > limits.frameBytes) connection.close(true);
    if (type !== "message") {
      if (pongs.refuses("pong", limits.messagesPerWindow) !== null) connection.close(true);
      return;
    }
    unexplained += 1;
    // Some packets of a burst may not have been checked yet.
    if (unexplained > 4 * limits.messagesPerWindow) connection.close(true);
  });
  return {
    explained() {
      unexplained -= 1;
    },
    claim() {
      if (isClaimed) return false;
      isClaimed = true;
      return true;
    },
  };
}

/** The path of bytes to the peer: over the WebSocket, or as answers to polls. */
type BytePath = Pick<TransportConnection, "bufferedAmount" | "terminate">;

function bytePathOf({ conn: connection, request }: Socket): BytePath {
  if (!isPolling(connection)) {
    const network = request.socket;
    return { bufferedAmount: () => network.writableLength, terminate: () => network.destroy() };
  }
  return {
    // Bytes for the next poll are unconfirmed, and the session's window counts them (SLOW-1).
    bufferedAmount: () => 0,
    // Answer the open poll. Its network connection may be a load balancer's, with requests of other clients.
    terminate: () => connection.close(true),
  };
}

const isPolling = ({ transport }: Connection): boolean => transport.name === "polling";

function createSocketIoConnection(
  socket: Socket,
  packetOf: (message: Outgoing) => Packet,
  onMarker: (marker: number) => void,
): TransportConnection {
  return {
    transport: "socketio",
    ...bytePathOf(socket),
    send(message) {
      if (!socket.connected) return;
      const { text, options } = packetOf(message);
      socket.conn.write(text, options);
    },
    mark(marker) {
      if (socket.connected) socket.emit(MARKER_EVENT, () => onMarker(marker));
    },
    // The reason is in `bye`; Socket.IO has no codes of its own.
    close: () => socket.disconnect(true),
  };
}

/** A transport whose connections can be ended all at once. */
interface SocketIoTransport {
  /** End the connections without a session. */
  close(): void;
}

/**
 * Register the transport for browsers: Socket.IO events named by the message's `t`. It uses a WebSocket, or
 * HTTP polling where the network blocks WebSockets. A client that begins with polling may change to a WebSocket.
 */
export async function socketIoTransport(app: FastifyInstance, options: Options): Promise<SocketIoTransport> {
  const { upgrades, limits, admission, open } = options;
  const packetOf = createPackets();
  const guards = new WeakMap<Connection, PacketGuard>();
  /** Names of the connections that requests open. */
  const sids = new WeakMap<IncomingMessage, string>();
  const io = new Server(upgrades, {
    path: relayPath.socketIo,
    serveClient: false,
    transports: ["websocket", "polling"],
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: limits.frameBytes,
    connectTimeout: limits.helloMs,
    pingInterval: limits.pingMs,
    pingTimeout: limits.silentMs - limits.pingMs,
  });
  io.engine.generateId = (request: IncomingMessage) => {
    const sid = randomUUID();
    sids.set(request, sid);
    return sid;
  };
  io.engine.on("initial_headers", (headers: Record<string, string>, request: IncomingMessage) => {
    const sid = sids.get(request);
    if (sid !== undefined) headers[POLLING_HEADER] = sid;
  });
  io.engine.on("connection", (connection: Connection) => {
    guards.set(connection, guardPackets(connection, options));
    if (!isPolling(connection)) return;
    const leave = admission.opened(connection.request);
    connection.once("close", leave);
    // From then on it has the place of its WebSocket.
    connection.once("upgrade", leave);
    // Time for which the last answer waits for a poll, and the limit of a body: the client joins the frames
    // that it sends while a request is open.
    Object.assign(connection.transport, {
      closeTimeout: limits.partingMs,
      maxHttpBufferSize: BODY_FRAMES * limits.frameBytes,
    });
  });

  io.on("connection", (socket) => {
    const guard = guards.get(socket.conn);
    if (!guard?.claim()) {
      socket.disconnect(true);
      return;
    }
    const session = open(
      createSocketIoConnection(socket, packetOf, (marker) => {
        guard.explained();
        session.confirmed(marker);
      }),
    );
    socket.onAny((event: unknown, ...parameters: unknown[]) => {
      guard.explained();
      const [message] = parameters;
      const named = typeof message === "object" && message !== null && "t" in message && message.t === event;
      if (named && parameters.length === 1) session.receive(message);
      else session.receiveGarbage();
    });
    socket.conn.on("heartbeat", () => session.noteActivity());
    // A client that leaves does not need the connection; it ends with the session after the last messages.
    socket.on("disconnect", () => socket.conn.close());
    socket.conn.once("close", () => session.closed());
    socket.on("error", () => session.receiveGarbage());
  });

  await app.register(async (scope) => {
    // Engine.IO reads the bodies.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.route({
      method: ["GET", "POST"],
      url: relayPath.socketIo,
      exposeHeadRoute: false,
      // One line per poll would be one line per change.
      logLevel: "warn",
      config: { servesWhileClosing: true },
      handler(request, reply) {
        const refusal = admission.poll(request.raw, reply.raw);
        if (refusal) return reply.code(refusal.status).send(refusal.message);
        reply.hijack();
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        upgrades.emit("request", request.raw, reply.raw);
      },
    });
  });
  return {
    close() {
      io.engine.close();
    },
  };
}
