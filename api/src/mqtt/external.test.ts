import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { topic } from "@mulkko/shared/mqtt/topics";
import { eventually } from "@mulkko/shared/testing/eventually";
import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { startTcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import Fastify from "fastify";
import { connectAsync } from "mqtt";
import { generate, type Packet, parser } from "mqtt-packet";
import { expect, onTestFinished, test, vi } from "vitest";
import { FARMER, SOIL, startTestFarm, VALVES } from "../../testing/test-farm.ts";
import type { InMessage } from "../devices/broker.ts";
import { ExternalBroker } from "./external.ts";

test("[broker] with an external broker: stores readings, sends outputs and commands, answers 503 during an outage, and recovers", async () => {
  const first = await startMosquitto();
  const farm = await startTestFarm({ MQTT_URL: first.url });
  await eventually(() => expect(farm.app.broker.isUp()).toBe(true));
  const bearer = { authorization: (await farm.signIn("farmer-one")).authorization };
  const command = (payload: number) =>
    farm.app.inject({
      method: "POST",
      url: "/api/v1/controller/cmd",
      headers: bearer,
      payload: { uuid: VALVES.id, command: "onoff", channel: 1, payload },
    });
  const latest = async () =>
    (await farm.app.inject({ url: `/api/v1/sensor/read/log/${SOIL.id}/latest`, headers: bearer })).json();

  const world = await connectAsync(first.url, { reconnectPeriod: 200 });
  world.on("error", () => undefined);
  const received: string[] = [];
  world.on("message", (name) => received.push(name));
  await world.subscribeAsync(["mulkko/out/#", `mulkko/${VALVES.serial}/ch/+/cmd/onoff`], { qos: 1 });
  await eventually(async () => {
    await world.publishAsync(topic.up(SOIL.serial), '{"moisture": 41}', { qos: 1 });
    expect(await latest()).toMatchObject({ moisture: 41 });
  });
  await world.publishAsync(topic.up(999_999), '{"moisture": 41}', { qos: 1 });
  await eventually(() => expect(farm.app.ingest.deadLetters.counts()["unknown-serial"]).toBe(1));
  expect((await command(1)).statusCode).toBe(200);
  await eventually(() => {
    expect(received).toContain(topic.outSensor(FARMER, SOIL.id));
    expect(received).toContain(topic.channelCommand(VALVES.serial, 1, "onoff"));
  });

  // There, a controller's own status message is all that is known of its connection.
  await world.publishAsync(topic.status(VALVES.serial), "offline", { qos: 1, retain: true });
  await eventually(async () => expect((await command(1)).json().code).toBe("controller-offline"));
  expect((await command(2)).statusCode).toBe(200);

  await first.stop();
  await eventually(() => expect(farm.app.broker.isUp()).toBe(false));
  expect((await command(2)).json()).toMatchObject({ status: 503, code: "broker-down" });
  expect((await farm.app.inject("/ready")).json()).toMatchObject({ ready: false, broker: false });
  const second = await startMosquitto({ port: first.port });
  await vi.waitFor(() => expect(farm.app.broker.isUp()).toBe(true), { timeout: 20_000 });
  await vi.waitFor(
    async () => {
      farm.clock.advance(1_000);
      await world.publishAsync(topic.up(SOIL.serial), '{"moisture": 42}', { qos: 1 });
      expect(await latest()).toMatchObject({ moisture: 42 });
    },
    { timeout: 20_000, interval: 200 },
  );
  await world.endAsync(true);
  await farm.close();
  await second.stop();
}, 90_000);

test("[ORD-4] a state that an external broker kept for a dead controller is shown with an unknown time", async () => {
  const mosquitto = await startMosquitto();
  const world = await connectAsync(mosquitto.url);
  const line = await startTcpProxy(mosquitto.url);
  line.cut();
  const farm = await startTestFarm({ MQTT_URL: `mqtt://127.0.0.1:${line.port}` });
  onTestFinished(async () => {
    await world.endAsync(true);
    await farm.close();
    await line.close();
    await mosquitto.stop();
  });
  // The state reaches the broker before the API's subscription.
  await world.publishAsync(topic.channelState(VALVES.serial, 1), '{"onoff":1}', { qos: 1, retain: true });
  line.pass();
  const bearer = { authorization: (await farm.signIn("farmer-one")).authorization };
  const state = async () =>
    (
      await farm.app.inject({
        url: `/api/v1/controller/${VALVES.serial}/channel/1/refresh`,
        headers: bearer,
      })
    ).json();
  await eventually(async () => expect(await state()).toMatchObject({ onoff: 1 }));
  expect(await state()).toMatchObject({ createdDate: null });
  await world.publishAsync(topic.channelState(VALVES.serial, 1), '{"onoff":1}', { qos: 1, retain: true });
  await eventually(async () => expect(await state()).toMatchObject({ createdDate: expect.any(String) }));
});

/** Connect to Mosquitto and store messages manually. */
async function openByHand() {
  const mosquitto = await startMosquitto();
  const world = await connectAsync(mosquitto.url);
  const taken: { message: InMessage; store: () => void; refuse: () => void }[] = [];
  const open = async () => {
    const broker = new ExternalBroker({
      url: mosquitto.url,
      installation: "",
      uplinkTopics: "off",
      logger: Fastify().log,
      handle(message) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        taken.push({ message, store: resolve, refuse: () => reject(new Error("away")) });
        return promise;
      },
    });
    await eventually(() => expect(broker.isUp()).toBe(true));
    return broker;
  };
  onTestFinished(async () => {
    await world.endAsync(true);
    await mosquitto.stop();
  });
  return { world, taken, open };
}
const numbers = (taken: readonly { message: InMessage }[]): number[] =>
  taken.map(({ message }) => Number(Buffer.from(message.payload).toString()));

test("[broker] stores hundreds of readings of an external broker together; the broker keeps each until it is stored", async () => {
  const { world, taken, open } = await openByHand();
  const first = await open();
  const COUNT = 300;
  const order = Array.from({ length: COUNT }, (_, index) => index);
  const publish = (index: number) => world.publishAsync(topic.up(SOIL.serial), String(index), { qos: 1 });
  // The subscription may follow the connection; the broker keeps messages from then on.
  await eventually(async () => {
    await publish(-1);
    expect(taken.length).toBeGreaterThan(0);
  });
  // More may be in transit; only those after the last one are counted.
  await publish(-2);
  await eventually(() => expect(numbers(taken)).toContain(-2));
  for (const { store } of taken) store();
  taken.length = 0;
  await Promise.all(order.map(publish));
  // More than Mosquitto sends ahead by itself.
  await eventually(() => expect(numbers(taken)).toEqual(order));

  // One in the middle is refused: those before it are stored, and acknowledged with those after it next time.
  for (const { store } of taken.slice(0, 100)) store();
  await eventually(() => expect(taken.length).toBe(COUNT));
  taken[200]?.refuse();
  for (const { store } of taken.slice(100, 200)) store();
  await vi.waitFor(() => expect(numbers(taken.slice(COUNT))).toEqual([200]), { timeout: 20_000 });
  expect(taken[COUNT]?.message.duplicate).toBe(true);
  expect(taken[COUNT]?.message.connection).not.toBe(taken[200]?.message.connection);

  // Messages taken before are sent again but not taken again: all have arrived once the newest is there.
  await publish(COUNT);
  await eventually(() => expect(numbers(taken.slice(COUNT))).toEqual([200, COUNT]));

  // A clean end: what is stored meanwhile is acknowledged, the rest goes to the next process.
  taken[COUNT]?.store();
  for (const { store } of taken.slice(201, 250)) store();
  await first.close();
  taken.length = 0;
  const second = await open();
  await eventually(() => expect(numbers(taken)).toEqual([...order.slice(250), COUNT]));
  expect(taken.every(({ message }) => message.duplicate)).toBe(true);
  for (const { store } of taken) store();
  await second.close();
  taken.length = 0;
  const third = await open();
  await publish(COUNT + 1);
  await eventually(() => expect(numbers(taken)).toEqual([COUNT + 1]));
  await third.close();
}, 90_000);

/** Listen as a broker would. @param answer is called for each packet */
async function listen(answer: (packet: Packet, socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    const packets = parser({ protocolVersion: 5 });
    packets.on("packet", (packet) => answer(packet, socket));
    socket.on("data", (chunk) => void packets.parse(chunk));
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `mqtt://127.0.0.1:${address.port}`;
}
const PROTOCOL = { protocolVersion: 5 };
const CONNACK = generate({ cmd: "connack", reasonCode: 0, sessionPresent: false }, PROTOCOL);
const publishOf = (name: string, messageId: number, qos: 0 | 1 = 1): Buffer =>
  generate(
    { cmd: "publish", topic: name, payload: String(messageId), messageId, qos, dup: false, retain: false },
    PROTOCOL,
  );

test("[broker] acknowledges the readings of an external broker in their order, each once it is stored", async () => {
  const acknowledged: (number | undefined)[] = [];
  const url = await listen((packet, socket) => {
    if (packet.cmd === "puback") acknowledged.push(packet.messageId);
    if (packet.cmd !== "connect") return;
    socket.write(CONNACK);
    if (packet.clientId !== "mulkko-api-readings") return;
    for (const id of [1, 2, 3]) socket.write(publishOf(topic.up(SOIL.serial), id));
    socket.write(publishOf(topic.up(SOIL.serial), 0, 0));
  });
  const stores: (() => void)[] = [];
  const broker = new ExternalBroker({
    url,
    installation: "",
    uplinkTopics: "off",
    logger: Fastify().log,
    handle: () => new Promise<void>((resolve) => stores.push(resolve)),
  });
  await vi.waitFor(() => expect(stores).toHaveLength(4));
  for (const index of [3, 2, 1]) stores[index]?.();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(acknowledged).toEqual([]);
  stores[0]?.();
  await vi.waitFor(() => expect(acknowledged).toEqual([1, 2, 3]));
  await broker.close();
});

test("[broker] acknowledges a state only on the connection that it came by", async () => {
  let connections = 0;
  const acknowledged: (number | undefined)[] = [];
  let subscribed = 0;
  let cut = (): void => undefined;
  const url = await listen((packet, socket) => {
    if (packet.cmd === "puback") acknowledged.push(packet.messageId);
    if (packet.cmd === "subscribe" && packet.subscriptions.length > 1) subscribed += 1;
    if (packet.cmd !== "connect") return;
    socket.write(CONNACK);
    if (packet.clientId !== "mulkko-api-states") return;
    connections += 1;
    if (connections > 1) return;
    cut = () => socket.destroy();
    socket.write(publishOf(topic.status(SOIL.serial), 7));
  });
  let store: (() => void) | undefined;
  const broker = new ExternalBroker({
    url,
    installation: "",
    uplinkTopics: "off",
    logger: Fastify().log,
    handle: () =>
      new Promise<void>((resolve) => {
        store = resolve;
      }),
  });
  await vi.waitFor(() => expect(store).toBeDefined());
  cut();
  await vi.waitFor(() => expect(broker.isUp()).toBe(false));
  store?.();
  await vi.waitFor(() => expect(subscribed).toBe(2), { timeout: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(acknowledged).toEqual([]);
  await broker.close();
}, 30_000);

test("[broker] logs no refusal for a connection that ends before its answer", async () => {
  let ended = 0;
  const url = await listen((packet, socket) => {
    if (packet.cmd === "connect") {
      socket.write(CONNACK);
      return;
    }
    ended += 1;
    socket.destroy();
  });
  const lines: string[] = [];
  const broker = new ExternalBroker({
    url,
    installation: "",
    uplinkTopics: "off",
    logger: Fastify({ logger: { level: "error", stream: { write: (line) => void lines.push(line) } } }).log,
    handle: () => Promise.resolve(),
  });
  await vi.waitFor(() => expect(ended).toBeGreaterThan(3), { timeout: 20_000 });
  await broker.close();
  expect(lines).toEqual([]);
}, 30_000);

test("[KEEP-3] two installations on one broker have sessions of their own; a taken session is logged", async () => {
  const mosquitto = await startMosquitto();
  const world = await connectAsync(mosquitto.url);
  const lines: { event: string; clientId: string }[] = [];
  const open = (installation: string, taken: string[]) =>
    new ExternalBroker({
      url: mosquitto.url,
      installation,
      uplinkTopics: "off",
      logger: Fastify({
        logger: { level: "warn", stream: { write: (line) => void lines.push(JSON.parse(line)) } },
      }).log,
      handle: async ({ payload }) => void taken.push(Buffer.from(payload).toString()),
    });
  const [one, other]: [string[], string[]] = [[], []];
  const brokers = [open("a1", one), open("b2", other)];
  await vi.waitFor(
    async () => {
      await world.publishAsync(topic.up(SOIL.serial), "both", { qos: 1 });
      expect(one).toContain("both");
      expect(other).toContain("both");
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(lines).toEqual([]);
  brokers.push(open("a1", []));
  await vi.waitFor(() => expect(lines.map(({ event }) => event)).toContain("mqtt-session-taken"), {
    timeout: 30_000,
  });
  expect(lines[0]?.clientId).toMatch(/^mulkko-api-a1-(readings|states|valves)$/);
  await Promise.all(brokers.map((broker) => broker.close()));
  await world.endAsync(true);
  await mosquitto.stop();
}, 60_000);

/** Ways in which a broker is not reached, each with its address and a part of the reason. */
const UNREACHED: readonly (readonly [string, (running: { url: string; port: number }) => string, RegExp])[] =
  [
    [
      "a wrong password",
      ({ port }) => `mqtt://mulkko-api:wrong-secret@127.0.0.1:${port}`,
      /not authori[sz]ed/i,
    ],
    ["no server", () => "mqtt://127.0.0.1:9", /ECONNREFUSED/],
    ["an unknown name", () => "mqtt://broker.invalid:1883", /broker\.invalid/],
    ["TLS to a plain server", ({ port }) => `mqtts://127.0.0.1:${port}`, /./],
  ];

test.each(UNREACHED)(
  "[broker] %s: the log names the reason once an outage, and no password",
  async (_name, urlOf, reason) => {
    const mosquitto = await startMosquitto({ users: { "mulkko-api": "right-secret" } });
    onTestFinished(() => mosquitto.stop());
    const lines: { event: string; reason: string }[] = [];
    const logger = Fastify({
      logger: { level: "warn", stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
    }).log;
    const broker = new ExternalBroker({
      ...{ url: urlOf(mosquitto), installation: "", uplinkTopics: "off", logger },
      handle: async () => undefined,
    });
    onTestFinished(() => broker.close());
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), { timeout: 20_000 });
    // Three sessions try again every two seconds.
    await new Promise((done) => setTimeout(done, 5_000));
    expect(lines.map(({ event }) => event)).toEqual(["mqtt-unavailable"]);
    expect(lines[0]?.reason).toMatch(reason);
    expect(JSON.stringify(lines)).not.toContain("secret");
  },
);
