import type { Server } from "node:http";
import websocket from "@fastify/websocket";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { sendError } from "../http/relay-error.ts";
import type { Session, TransportConnection } from "./connection.ts";
import type { GatewayLimits } from "./limits.ts";
import { type Outgoing, textFrame } from "./outgoing.ts";

interface Options {
  /** Never listens: it passes on the upgrades of this transport. */
  readonly upgrades: Server;
  readonly limits: GatewayLimits;
  open(connection: TransportConnection): Session;
}

/** The part of a network socket that the transport writes to. */
interface RawSocket {
  readonly writableLength: number;
  write(bytes: Uint8Array): boolean;
}

/** Create the encoder: a frame is built once for all sessions. */
function createFrames(): (message: Outgoing) => Buffer {
  const made = new WeakMap<Outgoing, Buffer>();
  return (message) => {
    const known = made.get(message);
    if (known) return known;
    const fresh = textFrame(message.bytes);
    made.set(message, fresh);
    return fresh;
  };
}

/**
 * Create the connection of a WebSocket. Finished frames are written to the network socket directly. Without
 * compression and fragments `ws` writes each of its own frames whole and at once, so the two never mix.
 */
function createWebSocketConnection(
  socket: WebSocket,
  raw: RawSocket,
  frameOf: (message: Outgoing) => Buffer,
): TransportConnection {
  return {
    transport: "websocket",
    bufferedAmount: () => raw.writableLength,
    send(message) {
      if (socket.readyState === socket.OPEN) raw.write(frameOf(message));
    },
    mark(marker) {
      if (socket.readyState === socket.OPEN) socket.ping(String(marker));
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}

function parseText(data: Buffer): { ok: true; message: unknown } | { ok: false } {
  try {
    return { ok: true, message: JSON.parse(data.toString("utf8")) };
  } catch {
    return { ok: false };
  }
}

/** Register the transport for machines: JSON text frames at `/live`. */
export async function websocketTransport(
  app: FastifyInstance,
  { upgrades, limits, open }: Options,
): Promise<void> {
  const frameOf = createFrames();
  /** Terminate the connection: `ws` closes it after an error by itself, but not at once. */
  function failed(this: WebSocket, error: Error): void {
    app.log.debug({ event: "websocket-failed", err: error }, "websocket failed");
    this.terminate();
  }
  await app.register(websocket, {
    options: {
      server: upgrades,
      maxPayload: limits.frameBytes,
      perMessageDeflate: false,
      // The session answers pings, so that they count as messages (HS-5).
      autoPong: false,
    },
    errorHandler: (error, socket) => failed.call(socket, error),
  });

  app.route({
    method: "GET",
    url: relayPath.webSocket,
    // `ws` answers an upgrade. Fastify's response would stay bound to the socket for the connection's
    // lifetime, with the request and all its headers.
    preHandler: (request, reply, done) => {
      if (request.ws) reply.raw.detachSocket(request.raw.socket);
      done();
    },
    handler: (_request, reply) => sendError(reply, 426, "malformed", "this path requires WebSocket"),
    wsHandler: (socket, request) => {
      request.log.info({ event: "request-upgraded", req: request }, "upgraded request to websocket");
      // The plugin's own listener retains the request too.
      socket.removeAllListeners("error");
      socket.on("error", failed);
      const session = open(createWebSocketConnection(socket, request.raw.socket, frameOf));
      socket.on("message", (data, isBinary) => {
        const parsed = !isBinary && Buffer.isBuffer(data) ? parseText(data) : { ok: false as const };
        if (parsed.ok) session.receive(parsed.message);
        else session.receiveGarbage();
      });
      socket.on("ping", (data) => {
        if (session.pinged() && socket.readyState === socket.OPEN) socket.pong(data);
      });
      socket.on("pong", (data) => session.confirmed(Number(data.toString("latin1"))));
      socket.on("close", () => session.closed());
    },
  });
}
