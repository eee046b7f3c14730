import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownTurnPlugin } from "./own-turn.ts";

const LARGE = "x".repeat(16 * 1024 * 1024);

describe("one connection", () => {
  let server: FastifyInstance;
  let begun: string[];
  let finish: (() => void)[];
  let sockets: Socket[];
  beforeEach(async () => {
    begun = [];
    finish = [];
    sockets = [];
    server = fastify({ forceCloseConnections: true });
    await server.register(ownTurnPlugin, { takenWithinMs: 300 });
    server.get("/:name", async (request) => {
      begun.push(request.url);
      await new Promise<void>((resolve) => finish.push(resolve));
      return LARGE;
    });
    server.get("/small/:name", async (request) => {
      begun.push(request.url);
      return "small";
    });
    await server.listen({ host: "127.0.0.1", port: 0 });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  const open = async (): Promise<{ socket: Socket; received: () => string }> => {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return { socket, received: () => text };
  };
  const get = (...paths: string[]): string =>
    paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join("");

  it("[SHARE-2] gets one answer after another: a later request is not begun before", async () => {
    const { socket, received } = await open();
    socket.write(get("/first", "/small/second", "/small/third"));
    await expect.poll(() => finish.length).toBe(1);
    expect(begun).toEqual(["/first"]);
    finish[0]?.();
    await expect.poll(() => received().endsWith("small")).toBe(true);
    expect(begun).toEqual(["/first", "/small/second", "/small/third"]);
    expect(received().match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  it("[SHARE-2] is closed with more than sixteen requests that wait", async () => {
    const { socket } = await open();
    socket.write(get("/first", ...Array.from({ length: 17 }, (_, n) => `/small/${n}`)));
    await once(socket, "close");
    expect(begun).toEqual(["/first"]);
  });

  it("[SHARE-2] that has ended has nothing more begun", async () => {
    const { socket } = await open();
    socket.write(get("/first", "/small/second"));
    await expect.poll(() => finish.length).toBe(1);
    socket.destroy();
    finish[0]?.();
    // The next connection is served meanwhile.
    const other = await open();
    other.socket.write(get("/small/other"));
    await expect.poll(() => other.received().endsWith("small")).toBe(true);
    expect(begun).toEqual(["/first", "/small/other"]);
  });

  it("[SHARE-3] is closed where its client takes nothing of an answer", async () => {
    const { socket } = await open();
    const [cut] = [
      new Promise<void>((resolve) => server.server.once("connection", (one) => one.once("close", resolve))),
    ];
    const deaf = await open();
    deaf.socket.pause();
    deaf.socket.write(get("/deaf"));
    await expect.poll(() => finish.length).toBe(1);
    finish[0]?.();
    await cut;
    // A client that waits for a slow answer is not.
    socket.write(get("/slow"));
    await expect.poll(() => finish.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(socket.destroyed).toBe(false);
  });
});
