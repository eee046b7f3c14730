import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { newPrefix, type RedisNode, startNode } from "../../../testing/redis-harness.ts";
import { until } from "../../../testing/until.ts";

let close: (() => Promise<unknown>) | undefined;
afterEach(() => close?.());

/** Commands by which the client opens a connection; a server that refuses work still answers them. */
const OPENING = /^\*\d+\r\n\$\d+\r\n(info|client|hello|select|ping)/i;

/** A Redis that lets clients in, and answers whatever they ask with one error. */
async function startRefusing(error: string): Promise<{ node: RedisNode; asked: () => number }> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      for (const command of String(chunk).split(/(?=^\*\d+\r$)/m)) {
        const opens = OPENING.test(command);
        if (!opens) asked += 1;
        const info = "redis_version:7.0.0\r\nloading:0\r\n";
        socket.write(opens ? `$${info.length}\r\n${info}\r\n` : `-${error}\r\n`);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const node = startNode(`redis://127.0.0.1:${address.port}`, newPrefix());
  close = async () => {
    await node.store.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { node, asked: () => asked };
}

test.each([
  ["MOVED 3999 10.0.0.7:6379", /cluster of several nodes, which is not supported.*MOVED 3999/],
  ["CLUSTERDOWN Hash slot not served", /cluster of several nodes, which is not supported.*CLUSTERDOWN/],
  ["NOPERM User kim has no permissions to run the 'eval' command", /NOPERM/],
  ["MISCONF Redis is configured to save RDB snapshots, but it can't", /MISCONF/],
  ["STRANGE an error that is not known yet", /STRANGE/],
])("[NODE-3] a store that answers %s is away, and the log names the reason once", async (error, reason) => {
  const { node, asked } = await startRefusing(error);
  await until(() => asked() > 8);
  expect(node.store.available).toBe(false);
  expect(node.errors.map(String).filter((text) => reason.test(text))).toHaveLength(1);
  expect(node.errors.length).toBeLessThanOrEqual(2);
});
