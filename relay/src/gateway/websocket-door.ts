import type { Server } from "node:http";
import websocket from "@fastify/websocket";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { textFrame } from "../core/websocket-frame.ts";
import { sendError } from "../plugins/send-error.ts";
import type { GatewayLimits } from "./limits.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Session, Wire } from "./wire.ts";

interface Options {
  /** Never listens: it hands on the upgrades that are for this door. */
  readonly upgrades: Server;
  readonly limits: GatewayLimits;
  open(wire: Wire): Session;
}

/** What of a network socket the door writes to. */
interface RawSocket {
  readonly writableLength: number;
  write(bytes: Uint8Array): boolean;
}

/** A frame is built once, however many sessions get it. */
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
 * The wire of a plain WebSocket. Finished frames go straight to the network socket: without compression and
 * fragments `ws` writes each of its own frames whole and at once, so the two never mix.
 */
function createWebSocketWire(
  socket: WebSocket,
  raw: RawSocket,
  frameOf: (message: Outgoing) => Buffer,
): Wire {
  return {
    door: "websocket",
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

/** The door for machines: JSON text frames at `/live`. */
export async function websocketDoor(
  app: FastifyInstance,
  { upgrades, limits, open }: Options,
): Promise<void> {
  const frameOf = createFrames();
  /** `ws` closes the connection after an error by itself, but not at once. */
  function failed(this: WebSocket, error: Error): void {
    app.log.debug({ err: error }, "websocket failed");
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
    // An upgrade is answered by `ws`. Fastify's answer, bound to the socket, would live as long as the connection, with
    // the request and all its headers.
    preHandler: (request, reply, done) => {
      if (request.ws) reply.raw.detachSocket(request.raw.socket);
      done();
    },
    handler: (_request, reply) => sendError(reply, 426, "malformed", "this path speaks WebSocket"),
    wsHandler: (socket, request) => {
      request.log.info({ req: request }, "request upgraded");
      // The plugin's own listener holds on to the request too.
      socket.removeAllListeners("error");
      socket.on("error", failed);
      const session = open(createWebSocketWire(socket, request.raw.socket, frameOf));
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
