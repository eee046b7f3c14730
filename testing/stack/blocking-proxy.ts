import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { relayPath } from "@mulkko/shared/rest/routes";

/** A network's proxy between browsers and a relay that passes no WebSocket. */
export interface BlockingProxy {
  /** Address for a browser, in place of the stack's own. */
  readonly url: string;
  /** Number of requested upgrades. */
  readonly upgrades: number;
  /** Number of passed requests of Socket.IO. */
  readonly polls: number;
  /** Break all connections, and new ones at once until they pass again. */
  cut(): void;
  pass(): void;
  close(): Promise<void>;
}

/**
 * @param url of the stack, such as `stack.url`
 * @param upgrade answer of the proxy to a request for a WebSocket: 403, or none
 */
export async function startBlockingProxy(
  url: string,
  upgrade: "refused" | "unanswered",
): Promise<BlockingProxy> {
  const counted = { upgrades: 0, polls: 0 };
  const unanswered = new Set<Duplex>();
  let isCut = false;

  function forward(from: IncomingMessage, back: ServerResponse): void {
    const { method = "GET", url: path = "/", headers } = from;
    if (path.startsWith(relayPath.socketIo)) counted.polls += 1;
    const onward = request(url + path, { method, headers }, (answer) => {
      back.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(back);
    });
    onward.on("error", () => back.destroy());
    back.on("close", () => onward.destroy());
    from.pipe(onward);
  }
  const server = createServer(forward);
  server.on("connection", (socket) => {
    if (isCut) socket.destroy();
  });
  server.on("upgrade", (_request, socket) => {
    counted.upgrades += 1;
    if (upgrade === "refused")
      socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    else unanswered.add(socket.once("close", () => unanswered.delete(socket)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const breakAll = (): void => {
    for (const socket of unanswered) socket.destroy();
    server.closeAllConnections();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    get upgrades() {
      return counted.upgrades;
    },
    get polls() {
      return counted.polls;
    },
    cut() {
      isCut = true;
      breakAll();
    },
    pass() {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        breakAll();
      }),
  };
}
