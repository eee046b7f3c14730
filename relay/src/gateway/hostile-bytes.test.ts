import { connect, type Socket } from "node:net";
import { seededRandom } from "@mulkko/shared/testing/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import { connectSocketIo, connectWebSocket } from "../../testing/live-client.ts";

/** ms that a busy machine may take to answer, and ms of silence after an answer. */
const ANSWER_MS = 20_000;
const QUIET_MS = 300;
const PATHS = ["/live", "/socket.io/?EIO=4&transport=websocket"];

describe("hostile bytes", () => {
  let harness: GatewayHarness;
  beforeEach(async () => {
    harness = await startGatewayHarness();
    harness.farm.grant("token-a", "a");
  });
  afterEach(async () => {
    // Both transports still serve valid clients.
    for (const open of [connectWebSocket, connectSocketIo]) {
      const client = await open(harness.origin);
      client.say({ t: "hello", protocol: 1, token: "token-a" });
      await client.next("welcome");
      client.leave();
      await client.gone;
    }
    await harness.app.close();
  });

  /**
   * Send text over a bare TCP connection, then bytes once it was answered; return the answer. The test closes
   * what the relay leaves open: once no more bytes follow an answer, or after `patienceMs` without any.
   */
  function speak(text: string, thenBytes?: Buffer, patienceMs = ANSWER_MS): Promise<string> {
    const { port } = new URL(harness.origin);
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket: Socket = connect(Number(port), "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      if (received === "" && thenBytes) socket.write(thenBytes);
      received += chunk.toString("latin1");
      socket.setTimeout(QUIET_MS);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(received));
    socket.write(text);
    socket.setTimeout(patienceMs, () => socket.destroy());
    return promise;
  }
  const upgrade = (path: string, more = ""): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
    `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

  it.each(PATHS)("[HS-5] %s survives random bytes after the upgrade", async (path) => {
    const random = seededRandom(42);
    const attempts = Array.from({ length: 60 }, () =>
      Buffer.from(Array.from({ length: 1 + Math.floor(random() * 400) }, () => Math.floor(random() * 256))),
    );
    const received = await Promise.all(attempts.map((bytes) => speak(upgrade(path), bytes)));
    expect(received.filter((text) => text.startsWith("HTTP/1.1 101"))).toHaveLength(60);
  });

  it.each([
    ["a path without a transport", "/elsewhere", "", 404],
    ["the API's path", "/api/v1/sensor/list", "", 404],
    ["another origin", "/live", "Origin: https://evil.example\r\n", 403],
    ["an origin that is none", "/socket.io/?EIO=4&transport=websocket", "Origin: null\r\n", 403],
  ])("[gateway] refuses an upgrade to %s", async (_name, path, more, status) => {
    const before = harness.metrics.refused.length;
    expect(await speak(upgrade(path, more))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(harness.metrics.refused.slice(before)).toEqual(status === 403 ? ["origin"] : []);
  });

  it("[gateway] an aborted upgrade, or one with an invalid handshake, affects no other client", async () => {
    await speak(upgrade("/live").slice(0, -10), undefined, QUIET_MS);
    await speak(upgrade("/live").replace("dGhlIHNhbXBsZSBub25jZQ==", "short"));
    await speak(upgrade("/socket.io/?EIO=3&transport=websocket"));
    await speak(upgrade("/socket.io/?EIO=4&transport=websocket&sid=nobody"));
    expect(await speak("\u0000\u0001\u0002garbage\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
  });

  /** Open a bare WebSocket; `closed` resolves with its close code. */
  async function bare(path: string): Promise<{ socket: WebSocket; closed: Promise<number> }> {
    const socket = new WebSocket(`${harness.origin.replace("http", "ws")}${path}`);
    const { promise: closed, resolve } = Promise.withResolvers<number>();
    socket.on("close", resolve);
    socket.on("error", () => socket.terminate());
    await new Promise((opened) => {
      socket.once("open", opened);
    });
    return { socket, closed };
  }

  it("[HS-5] binary frames on the WebSocket transport are bad messages", async () => {
    const { socket, closed } = await bare("/live");
    for (let count = 0; count < 10; count += 1) socket.send(Buffer.from('{"t":"hello"}'));
    expect(await closed).toBe(4400);
  });

  it("[HS-5] a flood of pings counts as messages", async () => {
    const { socket, closed } = await bare("/live");
    for (let count = 0; count < 40; count += 1) socket.ping();
    expect(await closed).toBe(4400);
  });

  it("[HS-5] an oversized frame closes the WebSocket transport with 1009", async () => {
    const { socket, closed } = await bare("/live");
    socket.send("x".repeat(65 * 1024));
    expect(await closed).toBe(1009);
  });

  it.each([
    ["no packet at all", "zzz"],
    ["an unknown packet type", "49"],
    ["an event without a name", "42[]"],
    ["an event named by a number", "42[7,{}]"],
    ["an event that is no JSON", "42[hello"],
    ["a reserved event", '42["disconnect"]'],
    ["binary attachments that never come", '4599-["hello",{"_placeholder":true,"num":0}]'],
    ["an acknowledgement of nothing", "43999[]"],
    ["an unopened namespace", "40/admin,"],
    ["a second connect", "40"],
  ])("[HS-5] Socket.IO survives %s", async (_name, packet) => {
    const { socket, closed } = await bare("/socket.io/?EIO=4&transport=websocket");
    socket.send("40");
    for (let count = 0; count < 200 && socket.readyState === socket.OPEN; count += 1) socket.send(packet);
    expect(await closed).toBeGreaterThan(0);
  });
});
