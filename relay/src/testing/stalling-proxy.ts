import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can go dead without a word: connections stay open and nothing comes through. */
export interface StallingProxy {
  readonly port: number;
  /** From now on nothing passes, in either direction, also of new connections. */
  stall(): void;
  /** The server still hears its clients; they hear nothing. */
  stallAnswers(): void;
  /** What was held up passes, and everything after it. */
  resume(): void;
  /** Connections that are dead for good, and new ones that are not. @param which by what the client has sent */
  deaden(which: (sent: string) => boolean): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  sent: string;
}

/** Bytes of what a client sent first, by which its connection is known. */
const KNOWN_BY = 64 * 1024;

export async function startStallingProxy(target: string): Promise<StallingProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<Pair>();
  let stalled = false;
  const hold = ({ client, server }: Pair): void => {
    client.pause();
    server.pause();
  };
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    const pair: Pair = { client, server, sent: "" };
    pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("data", (chunk) => {
        if (from === client && pair.sent.length < KNOWN_BY) pair.sent += chunk.toString("latin1");
        to.write(chunk);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
    if (stalled) hold(pair);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    stall() {
      stalled = true;
      for (const pair of pairs) hold(pair);
    },
    stallAnswers() {
      for (const { server } of pairs) server.pause();
    },
    resume() {
      stalled = false;
      for (const { client, server } of pairs) {
        client.resume();
        server.resume();
      }
    },
    deaden(which) {
      for (const pair of pairs) if (which(pair.sent)) hold(pair);
    },
    async close() {
      listener.close();
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await once(listener, "close");
    },
  };
}
