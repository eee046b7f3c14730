import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import { connectSocketIo, connectWebSocket, type LiveClient } from "../../testing/live-client.ts";
import type { Frame } from "../store/streams.ts";

const SESSIONS = 6;
const LAST_LARGE = 10;

describe("one change for many sessions of the Socket.IO transport", () => {
  let harness: GatewayHarness;
  let clients: LiveClient[];
  /** Buffers passed to each connection of the server, one list per connection. */
  let handed: Set<unknown>[];
  /** Number of times that the text of each frame was decoded from its bytes. */
  let encodings: number[];

  beforeEach(async () => {
    harness = await startGatewayHarness();
    clients = [];
    handed = [];
    encodings = [];
    harness.farm.grant("token-a", "a");
    harness.farm.grant("token-b", "b");
    harness.farm.account("a").change({ "sensor:1": { reading: { moisture: 30 } } });
    harness.app.server.on("connection", (socket: Socket) => {
      const seen = new Set<unknown>();
      handed.push(seen);
      socket.write = new Proxy(socket.write, {
        apply(write, self, parameters) {
          seen.add(parameters[0]);
          return Reflect.apply(write, self, parameters);
        },
      });
    });
    // Before any session, so that it sees every frame first.
    for (const id of ["a", "b"]) harness.farm.stream(id).listen(countEncodings);
  });
  afterEach(async () => {
    for (const client of clients) client.leave();
    await harness.app.close();
  });

  function countEncodings(frame: Frame): void {
    const index = encodings.push(0) - 1;
    frame.bytes.toString = new Proxy(frame.bytes.toString, {
      apply(text, self, parameters) {
        encodings[index] = (encodings[index] ?? 0) + 1;
        return Reflect.apply(text, self, parameters);
      },
    });
  }

  /** Open a session that has received everything it tracks. */
  async function follow(connect = connectSocketIo, token = "token-a", track?: string[]): Promise<LiveClient> {
    const client = await connect(harness.origin);
    clients.push(client);
    client.say({ t: "hello", protocol: 1, token });
    await client.next("link");
    client.say({ t: "subscribe", stream: "devices", ...(track && { track }) });
    await client.next("snapshot");
    return client;
  }
  const followAll = (count: number): Promise<LiveClient[]> =>
    Promise.all(Array.from({ length: count }, () => follow()));
  const moisture = (value: number) => ({ "sensor:1": { reading: { moisture: value } } });

  /** Return the numbers of connections that got each buffer with this text. */
  function connectionsPerBuffer(text: string): number[] {
    const buffers = new Set(handed.flatMap((seen) => [...seen]));
    return [...buffers].flatMap((buffer) => {
      if (!Buffer.isBuffer(buffer) || !buffer.includes(text)) return [];
      return [handed.filter((seen) => seen.has(buffer)).length];
    });
  }

  it("[DOOR-1] is encoded once, and every connection gets the same bytes", async () => {
    const sessions = await followAll(SESSIONS);
    harness.farm.account("a").change(moisture(31));
    for (const session of sessions) {
      expect(await session.next("change")).toMatchObject({
        from: 1,
        offset: 2,
        patch: { "sensor:1": { reading: { moisture: 31 } } },
      });
    }
    expect(encodings).toEqual([1]);
    expect(connectionsPerBuffer('["change",')).toEqual([SESSIONS]);
  });

  it("[DOOR-1] is encoded once per change, also for changes in quick succession", async () => {
    const sessions = await followAll(SESSIONS);
    for (const value of [31, 32, 33]) harness.farm.account("a").change(moisture(value));
    for (const session of sessions) {
      for (const offset of [2, 3, 4]) expect(await session.next("change")).toMatchObject({ offset });
    }
    expect(encodings).toEqual([1, 1, 1]);
    expect(connectionsPerBuffer('["change",')).toEqual([SESSIONS, SESSIONS, SESSIONS]);
  });

  it("[DOOR-1] is encoded for the sessions of its account only", async () => {
    const neighbor = await follow(connectSocketIo, "token-b");
    const sessions = await followAll(2);
    harness.farm.account("b").change({ "sensor:9": { quality: "fresh" } });
    harness.farm.account("a").change(moisture(31));
    await neighbor.next("change");
    for (const session of sessions) await session.next("change");
    expect(encodings).toEqual([1, 1]);
    expect(connectionsPerBuffer("sensor:9")).toEqual([1]);
    expect(connectionsPerBuffer('"moisture":31')).toEqual([2]);
  });

  it("[DOOR-1] is not encoded without a session on this transport", async () => {
    const session = await follow(connectWebSocket);
    harness.farm.account("a").change(moisture(31));
    expect(await session.next("change")).toMatchObject({ offset: 2 });
    expect(encodings).toEqual([0]);
  });

  it("[DOOR-1] has its own frames for a session that tracks keys, while the others share theirs", async () => {
    const tracking = await follow(connectSocketIo, "token-a", ["sensor:1"]);
    const sessions = await followAll(3);
    harness.farm.account("a").change({ ...moisture(31), "sensor:2": { quality: "fresh" } });
    const own = await tracking.next("change");
    expect(JSON.stringify(own)).not.toContain("sensor:2");
    for (const session of sessions) await session.next("change");
    expect(encodings).toEqual([1]);
    expect(connectionsPerBuffer('["change",').sort()).toEqual([1, 3]);
  });

  it("[DOOR-1] is shared with a slow session as soon as it is up to date again", async () => {
    const slow = await follow();
    const sessions = await followAll(2);
    slow.holdMarkers();
    const change = async (value: number, text: string): Promise<void> => {
      harness.farm.account("a").change({ "sensor:1": { value, text } });
      for (const session of sessions) {
        for (let at = 0; at !== value; ) {
          const { offset } = await session.next("change");
          at = offset - 1;
        }
      }
    };
    // Together more than one session may have unconfirmed; each alone is a small part of that.
    for (let value = 1; value < LAST_LARGE; value += 1) await change(value, `${value}`.repeat(8 * 1024));
    await change(LAST_LARGE, `${"x".repeat(8 * 1024)} the last`);
    expect(connectionsPerBuffer("the last")).toEqual([2]);
    slow.releaseMarkers();
    await expect.poll(() => JSON.stringify(slow.received.at(-1))).toContain("the last");
    await change(LAST_LARGE + 1, "level again");
    await expect.poll(() => JSON.stringify(slow.received.at(-1))).toContain("level again");
    expect(connectionsPerBuffer("level again")).toEqual([3]);
    expect(new Set(encodings)).toEqual(new Set([1]));
  });

  it("[DOOR-1] applies to events as well", async () => {
    const sessions = await followAll(SESSIONS);
    for (const session of sessions) {
      session.say({ t: "subscribe", stream: "events" });
      await session.next("snapshot");
    }
    harness.farm.account("a").event({
      kind: "flip",
      at: "2026-11-21T03:00:00.000Z",
      key: "sensor:1",
      online: false,
      last: null,
    });
    for (const session of sessions) expect(await session.next("event")).toMatchObject({ offset: 1 });
    expect(connectionsPerBuffer('["event",')).toEqual([SESSIONS]);
  });
});
