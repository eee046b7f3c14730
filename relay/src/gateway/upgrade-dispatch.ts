import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { relayPath } from "@mulkko/shared/rest/routes";

/** Why an upgrade is not let in. */
export interface Refusal {
  readonly status: 403 | 404 | 429 | 503;
  readonly message: string;
}

/** Where each door hears of the upgrades that are meant for it; neither of these servers ever listens. */
export interface DoorUpgrades {
  readonly websocket: Server;
  readonly socketio: Server;
}

/**
 * Gives every upgrade of the real server to the one door whose path it names. Socket.IO and @fastify/websocket
 * would each answer or destroy the other's upgrades if both listened on it.
 *
 * @param admit decides whether the connection may come in, and counts it
 */
export function dispatchUpgrades(
  server: Server,
  admit: (request: IncomingMessage, socket: Duplex) => Refusal | null,
): DoorUpgrades {
  const doors: DoorUpgrades = { websocket: createServer(), socketio: createServer() };
  server.on("upgrade", (request, socket, head) => {
    // Node takes its own listener away before this event; an error of the peer must find another one.
    socket.on("error", () => socket.destroy());
    const door = doorOf(request.url ?? "", doors);
    if (!door) return refuse(socket, { status: 404, message: "no such door" });
    const refusal = admit(request, socket);
    if (refusal) return refuse(socket, refusal);
    door.emit("upgrade", request, socket, head);
  });
  return doors;
}

function doorOf(url: string, doors: DoorUpgrades): Server | undefined {
  const path = url.split("?", 1)[0];
  if (path === relayPath.webSocket) return doors.websocket;
  return path === relayPath.socketIo ? doors.socketio : undefined;
}

function refuse(socket: Duplex, { status, message }: Refusal): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
}
