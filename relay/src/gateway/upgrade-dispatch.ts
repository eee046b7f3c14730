import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Refusal } from "./admission.ts";

/** The servers that receive the upgrades of each transport; neither ever listens. */
export interface TransportUpgrades {
  readonly websocket: Server;
  readonly socketio: Server;
}

/**
 * Pass every upgrade of the real server to the transport with its path. Socket.IO and @fastify/websocket
 * would each answer or destroy the other's upgrades if both listened on it.
 * @param admit decides if the connection is accepted, and counts it
 */
export function dispatchUpgrades(
  server: Server,
  admit: (request: IncomingMessage, socket: Duplex) => Refusal | null,
): TransportUpgrades {
  const transports: TransportUpgrades = { websocket: createServer(), socketio: createServer() };
  server.on("upgrade", (request, socket, head) => {
    // Node removes its own listener before this event; an error of the peer still needs one.
    socket.on("error", () => socket.destroy());
    const transport = transportOf(request.url ?? "", transports);
    if (!transport) return refuse(socket, { status: 404, message: "no transport at this path" });
    const refusal = admit(request, socket);
    if (refusal) return refuse(socket, refusal);
    transport.emit("upgrade", request, socket, head);
  });
  return transports;
}

function transportOf(url: string, transports: TransportUpgrades): Server | undefined {
  const path = url.split("?", 1)[0];
  if (path === relayPath.webSocket) return transports.websocket;
  return path === relayPath.socketIo ? transports.socketio : undefined;
}

function refuse(socket: Duplex, { status, message }: Refusal): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
}
