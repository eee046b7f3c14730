import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { relayPath } from "@mulkko/shared/rest/routes";
import { createConnectionLimit } from "../http/shares/connection-limit.ts";
import { clientAddress, type Trust } from "../http/trusted-proxies.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { GATEWAY_LIMITS, type GatewayLimits } from "./limits.ts";

/** The reason to reject a connection, or a request of it. */
interface Refusal {
  readonly status: 400 | 403 | 404 | 429 | 503;
  readonly message: string;
}

/** Decides which connections are accepted, and counts them, for every transport. */
export interface Admission {
  /** Admit an upgrade. It holds its place until its network connection closes. */
  upgrade(request: IncomingMessage, socket: Duplex): Refusal | null;
  /**
   * Admit a poll. The first poll holds a place until it is answered; the connection that it opened keeps the
   * place.
   */
  poll(request: IncomingMessage, response: ServerResponse): Refusal | null;
  /**
   * Note that the poll has opened a connection.
   * @returns a function that releases the place
   */
  opened(request: IncomingMessage): () => void;
  /** Admit no further connection: this node is shutting down. */
  drain(): void;
}

export interface AdmissionDeps {
  readonly metrics: Pick<Metrics, "connectionRefused">;
  readonly trust: Trust;
  /** Origins of pages, besides the relay's own, that may open a connection. */
  readonly allowedOrigins: readonly string[];
  readonly limits?: Partial<GatewayLimits>;
}

/** Return the parameters of a request, as Engine.IO reads them: of equal names the last counts. */
const parametersOf = ({ url = "" }: IncomingMessage): ReadonlyMap<string, string> =>
  new Map(new URL(url, "http://relay").searchParams);

export function createAdmission({ metrics, trust, allowedOrigins, limits }: AdmissionDeps): Admission {
  const { sessionsPerAddress, sessions } = { ...GATEWAY_LIMITS, ...limits };
  const connections = createConnectionLimit(sessionsPerAddress, sessions);
  let isDraining = false;
  const places = new WeakMap<IncomingMessage, () => void>();

  function refuse(
    reason: Parameters<typeof metrics.connectionRefused>[0],
    status: Refusal["status"],
    message: string,
  ): Refusal {
    metrics.connectionRefused(reason);
    return { status, message };
  }

  /**
   * Reject a request from another site's page. A browser may omit `Origin`, but then names the site in
   * another header.
   */
  function refuseOrigin({ headers }: IncomingMessage): Refusal | null {
    const { origin, host, "sec-fetch-site": site } = headers;
    const isForeign = origin === undefined && (site === "cross-site" || site === "same-site");
    if (!isForeign && isOriginAllowed(origin, host, allowedOrigins)) return null;
    return refuse("origin", 403, "origin not allowed");
  }

  function acquirePlace(request: IncomingMessage): (() => void) | Refusal {
    if (isDraining) return refuse("draining", 503, "this node is shutting down");
    const { remoteAddress } = request.socket;
    const giveBack = connections.acquire(
      clientAddress(remoteAddress, request.headers["x-forwarded-for"], trust),
    );
    return giveBack ?? refuse("limit", 429, "too many connections");
  }

  return {
    upgrade(request, socket) {
      const foreign = refuseOrigin(request);
      if (foreign) return foreign;
      const place = acquirePlace(request);
      if (typeof place !== "function") return place;
      socket.once("close", place);
      return null;
    },
    poll(request, response) {
      const foreign = refuseOrigin(request);
      if (foreign) return foreign;
      const { origin } = request.headers;
      // Pages that may open a connection may read its answers.
      if (origin !== undefined) response.setHeader("access-control-allow-origin", origin);
      response.setHeader("vary", "origin");
      const parameters = parametersOf(request);
      // Any page can read the answers of JSONP.
      if (parameters.has("j")) return { status: 400, message: "JSONP is not supported" };
      if (parameters.get("sid")) return null;
      const place = acquirePlace(request);
      if (typeof place !== "function") return place;
      places.set(request, place);
      response.once("close", () => places.get(request)?.());
      return null;
    },
    opened(request) {
      const place = places.get(request);
      places.delete(request);
      return place ?? (() => undefined);
    },
    drain() {
      isDraining = true;
    },
  };
}

/** The servers that receive the upgrades of each transport; neither ever listens. */
interface TransportUpgrades {
  readonly websocket: Server;
  readonly socketio: Server;
}

/**
 * Pass every upgrade of the real server to the transport with its path. Socket.IO and @fastify/websocket
 * would each answer or destroy the other's upgrades if both listened on it.
 */
export function dispatchUpgrades(server: Server, admit: Admission["upgrade"]): TransportUpgrades {
  const transports: TransportUpgrades = { websocket: createServer(), socketio: createServer() };
  server.on("upgrade", (request, socket, head) => {
    // Node removes its own listener before this event; an error of the peer still needs one.
    socket.on("error", () => socket.destroy());
    const transport = transportOf(request.url ?? "", transports);
    if (!transport) return answer(socket, { status: 404, message: "no transport at this path" });
    const refusal = admit(request, socket);
    if (refusal) return answer(socket, refusal);
    transport.emit("upgrade", request, socket, head);
  });
  return transports;
}

function transportOf(url: string, transports: TransportUpgrades): Server | undefined {
  const path = url.split("?", 1)[0];
  if (path === relayPath.webSocket) return transports.websocket;
  return path === relayPath.socketIo ? transports.socketio : undefined;
}

function answer(socket: Duplex, { status, message }: Refusal): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
}

/**
 * Return true if a browser page may open a connection: it comes from this host, or from a configured origin.
 * A request without `Origin` is no browser's. It has its own token and no credentials that a page could
 * abuse.
 * @param allowed further origins, e.g. `https://farm.example`
 */
export function isOriginAllowed(
  origin: string | undefined,
  host: string | undefined,
  allowed: readonly string[],
): boolean {
  if (origin === undefined) return true;
  if (allowed.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}
