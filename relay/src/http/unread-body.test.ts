import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UNREAD_LIMITS, unreadBodyPlugin } from "./request-bodies.ts";

const PIECE = Buffer.alloc(64 * 1024, "x");

describe("a body that is too large", () => {
  let relay: FastifyInstance;
  let port: number;
  beforeEach(async () => {
    relay = fastify({ bodyLimit: 1_000 });
    await relay.register(unreadBodyPlugin);
    relay.post("/echo", async () => "ok");
    await relay.listen({ host: "127.0.0.1", port: 0 });
    port = (relay.server.address() as AddressInfo).port;
  });
  afterEach(() => relay.close());

  /**
   * Send a body in pieces, whatever is received meanwhile. @returns everything received until the connection
   * ended
   */
  async function send(bytes: number): Promise<{ received: string; sent: number }> {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    let ended = false;
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => {
      socket.once("close", () => {
        ended = true;
        resolve();
      });
    });
    await once(socket, "connect");
    socket.write(
      `POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
    );
    let sent = 0;
    while (sent < bytes && !ended) {
      const piece = PIECE.subarray(0, Math.min(PIECE.length, bytes - sent));
      sent += piece.length;
      if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => closed), closed]);
    }
    await closed;
    return { received, sent };
  }

  it("[rest-contract] is answered with 413 to a client that sends it to its end", async () => {
    for (let n = 0; n < 5; n += 1) expect((await send(10 * 1024 * 1024)).received).toContain("HTTP/1.1 413");
  });

  it("[rest-contract] is read no further than its limit", async () => {
    const { sent } = await send(4 * UNREAD_LIMITS.bytes);
    expect(sent).toBeLessThan(2 * UNREAD_LIMITS.bytes);
  });
});
