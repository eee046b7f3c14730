import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import fp from "fastify-plugin";
import { NoPlaceError } from "../../runtime/places.ts";

/** Most requests of one connection that wait for the answers before them. */
const WAITING_AT_MOST = 16;

/** Longest time in which a client takes nothing of an answer, ms (SHARE-3). */
const TAKEN_WITHIN_MS = 30_000;

interface Connection {
  readonly gone: AbortController;
  waiting: number;
}

const connections = new WeakMap<Socket, Connection>();

function connectionOf(socket: Socket): Connection {
  const known = connections.get(socket);
  if (known) return known;
  const connection: Connection = { gone: new AbortController(), waiting: 0 };
  connections.set(socket, connection);
  if (socket.destroyed) connection.gone.abort();
  else socket.once("close", () => connection.gone.abort());
  return connection;
}

/** Return a signal that is aborted when the client has disconnected. */
export const goneSignal = (socket: Socket): AbortSignal => connectionOf(socket).gone.signal;

/** Wait until all earlier answers of the connection are sent: then this answer gets the socket. */
async function ownTurn(socket: Socket, response: ServerResponse): Promise<void> {
  if (response.socket !== null) return;
  const connection = connectionOf(socket);
  if (connection.waiting >= WAITING_AT_MOST) socket.destroy();
  connection.waiting += 1;
  try {
    await once(response, "socket", { signal: connection.gone.signal });
  } catch {
    throw new NoPlaceError("caller-gone");
  } finally {
    connection.waiting -= 1;
  }
}

/** Disconnect a client that takes no byte of its answer. A farm API that is slow to send has its own limits. */
function cutUnlessTaken(response: ServerResponse, withinMs: number): void {
  response.setTimeout(withinMs, () => {
    const { socket } = response;
    if (socket && socket.writableLength > 0) socket.destroy();
    else socket?.setTimeout(withinMs);
  });
}

/**
 * Serve the requests of one connection one after another, and disconnect a client that does not take its answer
 * (SHARE-2, SHARE-3). Node begins pipelined requests at once: their finished answers would wait for the first
 * one, and keep what they occupy.
 */
export const ownTurnPlugin = fp<{ readonly takenWithinMs?: number }>(
  async (app, { takenWithinMs = TAKEN_WITHIN_MS }) => {
    app.addHook("onRequest", (request, reply) => ownTurn(request.raw.socket, reply.raw));
    app.addHook("onSend", async (_request, reply) => cutUnlessTaken(reply.raw, takenWithinMs));
  },
  { name: "own-turn", fastify: "5.x" },
);
