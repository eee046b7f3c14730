import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { endConnections } from "./end-connections.ts";

const HOURS_MS = 3_600_000;

describe("the connections of a server that stops", () => {
  const agent = new Agent({ keepAlive: true });
  afterEach(() => agent.destroy());

  /** A server with one request that it has not answered, over a connection that its client keeps. */
  async function serve() {
    const server = createServer({ keepAliveTimeout: HOURS_MS });
    const asked = once(server, "request") as Promise<[IncomingMessage, ServerResponse]>;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const request = get({ port, host: "127.0.0.1", agent });
    const [, response] = await asked;
    response.flushHeaders();
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    return { server, response, answer };
  }

  test("[STOP-1] one whose answer was under way ends with it, though its client keeps it", async () => {
    const { server, response, answer } = await serve();
    const closed = once(server, "close");
    server.close();
    const stop = endConnections(server, HOURS_MS);
    answer.resume();
    response.end("done");
    await once(answer, "end");
    await closed;
    stop();
    expect(server.listening).toBe(false);
  });

  test("[STOP-1] one whose answer never ends is cut at the deadline", async () => {
    const { server, answer } = await serve();
    const closed = once(server, "close");
    server.close();
    const stop = endConnections(server, 200);
    answer.on("error", () => undefined);
    await closed;
    stop();
    expect(answer.complete).toBe(false);
  });
});
