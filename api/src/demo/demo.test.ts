import { createServer, type Server, type Socket } from "node:net";
import { systemClock } from "@mulkko/shared/rules/clock";
import { Aedes, type AedesPublishPacket } from "aedes";
import { connectAsync, type MqttClient } from "mqtt";
import { afterEach, describe, expect, test, vi } from "vitest";
import { nextTurn, startDemo } from "./demo.ts";
import { DEMO_CONTROLLERS, DEMO_DEVICES } from "./farm.ts";

type Message = Record<string, unknown>;

const HOUSE = 24110901;
const FRONT_BED = 24110101;
const keyOf = (serial: number) => `key-${serial}`;
const quiet = { info: () => undefined, warn: () => undefined };
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Start a broker that checks each device's key and keeps the newest message of every topic. */
async function startBroker({
  port = 0,
  kept,
}: {
  port?: number;
  kept?: [topic: string, payload: string];
} = {}) {
  const aedes = await Aedes.createBroker();
  const newest = new Map<string, AedesPublishPacket>();
  aedes.authenticate = (_client, username, password, done) =>
    done(null, username === "watcher" || password?.toString() === `key-${username}`);
  aedes.on("publish", (packet) => void newest.set(packet.topic, packet));
  if (kept) {
    const [topic, payload] = kept;
    const packet = { cmd: "publish", topic, payload, qos: 1, retain: true, dup: false } as const;
    await new Promise<void>((resolve) => aedes.publish(packet, () => resolve()));
  }
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    aedes.handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the broker has no port");
  return {
    port: address.port,
    url: `mqtt://127.0.0.1:${address.port}`,
    text: (topic: string) => newest.get(topic)?.payload.toString(),
    json: (topic: string): Message | undefined => {
      const packet = newest.get(topic);
      return packet && JSON.parse(packet.payload.toString());
    },
    isRetained: (topic: string) => newest.get(topic)?.retain,
    async stop() {
      const deaf = new Promise<void>((resolve) => server.close(() => resolve()));
      await new Promise<void>((resolve) => aedes.close(resolve));
      for (const socket of sockets) socket.destroy();
      await deaf;
    },
  };
}

function runDemo(brokerUrl: string) {
  const demo = startDemo({ brokerUrl, deviceKey: keyOf, clock: systemClock, logger: quiet, intervalMs: 500 });
  cleanups.push(demo.stop);
  return demo;
}

async function watch(url: string): Promise<MqttClient> {
  const client = await connectAsync(url, { username: "watcher" });
  cleanups.push(() => client.endAsync(true));
  return client;
}

const wait = { timeout: 20_000, interval: 20 };
const order = (state: 1 | 2, commandId: string, rest: object = {}) =>
  JSON.stringify({ state, commandId, expiresAt: new Date(Date.now() + 25_000).toISOString(), ...rest });

describe("nextTurn", () => {
  test("[demo] measures on the grid and sends at its own phase, always in the future", () => {
    expect(nextTurn(100_000, 10_000, 0)).toEqual({ at: 110_000, due: 110_000 });
    expect(nextTurn(100_000, 10_000, 3_000)).toEqual({ at: 100_000, due: 103_000 });
    expect(nextTurn(103_000, 10_000, 3_000)).toEqual({ at: 110_000, due: 113_000 });
  });
});

describe("startDemo against a broker", () => {
  test("[demo] every device comes online and sends readings, and its last will reports it offline", async () => {
    const broker = await startBroker();
    cleanups.push(broker.stop);
    const demo = runDemo(broker.url);
    const serials = [...DEMO_DEVICES, ...DEMO_CONTROLLERS].map((one) => one.serial);
    const status = () => serials.map((serial) => broker.text(`mulkko/${serial}/status`));
    await vi.waitFor(() => expect(new Set(status())).toEqual(new Set(["online"])), wait);
    await vi.waitFor(() => expect(broker.json(`mulkko/${FRONT_BED}/up`)).toBeDefined(), wait);
    expect(broker.json(`mulkko/${FRONT_BED}/up`)).toMatchObject({
      at: expect.stringMatching(/Z$/),
      fwversion: "2.4.1",
      rssi: expect.any(Number),
      moisture: expect.any(Number),
      soilTemperature: expect.any(Number),
      battery: expect.any(Number),
    });
    for (const { serial, channels } of DEMO_CONTROLLERS) {
      for (const { channelNumber } of channels) {
        const topic = `mulkko/${serial}/ch/${channelNumber}/state`;
        await vi.waitFor(() => expect(broker.json(topic)).toMatchObject({ onoff: 2, runUntil: null }), wait);
        expect(broker.isRetained(topic)).toBe(true);
      }
    }
    demo.stop();
    await vi.waitFor(() => expect(new Set(status())).toEqual(new Set(["offline"])), wait);
  });

  test("[demo] a channel opens on command, waters its sensors, closes by itself, and ignores retained or invalid messages", async () => {
    const broker = await startBroker();
    cleanups.push(broker.stop);
    runDemo(broker.url);
    const client = await watch(broker.url);
    const state = `mulkko/${HOUSE}/ch/1/state`;
    const command = `mulkko/${HOUSE}/ch/1/cmd/onoff`;
    await vi.waitFor(() => expect(broker.json(`mulkko/${FRONT_BED}/up`)).toBeDefined(), wait);
    await vi.waitFor(() => expect(broker.json(state)).toBeDefined(), wait);
    const dry = Number(broker.json(`mulkko/${FRONT_BED}/up`)?.moisture);

    await client.publishAsync(command, "open!", { qos: 1 });
    await client.publishAsync(command, JSON.stringify({ state: 1 }), { qos: 1 });
    await client.publishAsync(command, order(1, "first", { maxRunSeconds: 4 }), { qos: 1 });
    await vi.waitFor(() => expect(broker.json(state)).toMatchObject({ onoff: 1, commandId: "first" }), wait);
    expect(Date.parse(String(broker.json(state)?.runUntil))).toBeGreaterThan(Date.now());
    await vi.waitFor(
      () => expect(Number(broker.json(`mulkko/${FRONT_BED}/up`)?.moisture)).toBeGreaterThan(dry),
      wait,
    );
    await vi.waitFor(() => expect(broker.json(state)).toMatchObject({ onoff: 2, runUntil: null }), wait);

    const cot = 24110118;
    await client.publishAsync(`mulkko/${cot}/ch/2/cmd/onoff`, order(1, "cot"), { qos: 1 });
    await vi.waitFor(
      () =>
        expect(broker.json(`mulkko/${cot}/ch/2/state`)).toMatchObject({
          onoff: 1,
          moisture: expect.any(Number),
        }),
      wait,
    );
    expect(broker.json(`mulkko/${cot}/ch/1/state`)).toMatchObject({ onoff: 2 });
  }, 30_000);

  test("[demo] reconnects after a broker restart, and a retained command opens nothing", async () => {
    const first = await startBroker();
    runDemo(first.url);
    const command = `mulkko/${HOUSE}/ch/2/cmd/onoff`;
    const state = `mulkko/${HOUSE}/ch/2/state`;
    await vi.waitFor(() => expect(first.json(state)).toBeDefined(), wait);
    await first.stop();

    const second = await startBroker({ port: first.port, kept: [command, order(1, "kept")] });
    cleanups.push(second.stop);
    const client = await watch(second.url);
    await vi.waitFor(() => expect(second.json(state)).toMatchObject({ onoff: 2 }), wait);
    await vi.waitFor(() => expect(second.json(`mulkko/${FRONT_BED}/up`)).toBeDefined(), wait);
    await client.publishAsync(`mulkko/${HOUSE}/ch/3/cmd/onoff`, order(1, "fresh"), { qos: 1 });
    await vi.waitFor(
      () => expect(second.json(`mulkko/${HOUSE}/ch/3/state`)).toMatchObject({ onoff: 1, commandId: "fresh" }),
      wait,
    );
    expect(second.json(state)).toMatchObject({ onoff: 2, commandId: null });
  }, 30_000);

  test("[demo] in automatic mode a channel falls below its lower bound, is watered, and stops at the upper one", async () => {
    const broker = await startBroker();
    cleanups.push(broker.stop);
    runDemo(broker.url);
    const client = await watch(broker.url);
    const state = `mulkko/${HOUSE}/ch/4/state`;
    const tell = (name: string, body: object) =>
      client.publishAsync(`mulkko/${HOUSE}/ch/4/cmd/${name}`, JSON.stringify({ ...body, at: new Date() }), {
        qos: 1,
      });
    const moisture = () => Number(broker.json("mulkko/24110105/up")?.moisture);
    await vi.waitFor(() => expect(moisture()).toBeGreaterThan(0), wait);
    await vi.waitFor(() => expect(broker.json(state)).toMatchObject({ onoff: 2 }), wait);
    const [lowerBound, upperBound] = [moisture() + 0.2, moisture() + 0.6];
    await tell("automatic", { setting: { lowerBound, upperBound, wateringDuration: 8 } });
    await tell("mode", { active: "automatic", revision: 1 });
    await vi.waitFor(
      () =>
        expect(broker.json(state)).toMatchObject({
          onoff: 1,
          automatic: 1,
          commandId: null,
          modeRevision: 1,
        }),
      wait,
    );
    expect(Date.parse(String(broker.json(state)?.runUntil))).toBeGreaterThan(Date.now() + 7 * 60_000);
    await vi.waitFor(() => expect(broker.json(state)).toMatchObject({ onoff: 2, automatic: 1 }), {
      ...wait,
      timeout: 20_000,
    });
    expect(moisture()).toBeGreaterThanOrEqual(upperBound);
  }, 40_000);
});
