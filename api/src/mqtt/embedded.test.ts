import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { topic } from "@mulkko/shared/mqtt/topics";
import { channelState } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  FOREIGN,
  FOREIGN_VALVES,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../testing/test-farm.ts";
import { MAX_MESSAGE_BYTES } from "../decode/fields.ts";
import { linkOf } from "../devices/device-links.ts";
import { MAX_FILTERS, MAX_KEY_CONNECTIONS } from "./limits.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

test.each([
  ["a wrong key", { username: String(SOIL.serial), password: FOREIGN.key }],
  ["an unknown serial", { username: "999999", password: SOIL.key }],
  ["no key", { username: String(SOIL.serial), password: "" }],
  ["a name that is no serial", { username: "__proto__", password: "x" }],
  ["a wrong relay key", { username: "relay", password: "relay-key-of-others" }],
])("[broker] %s is refused", async (_case, user) => {
  await expect(farm.connect(user)).rejects.toThrow(/Connection refused|Not authorized|Bad/i);
});

test("[SHARE-7] logs a refused name once, and counts each refusal", async () => {
  const counted = () => farm.app.broker.cuts()["wrong-key"] ?? 0;
  const before = counted();
  for (let n = 0; n < 3; n += 1) {
    await expect(farm.connect({ username: "777777", password: "x" })).rejects.toThrow();
  }
  expect(counted()).toBe(before + 3);
  expect(farm.lines.filter((line) => line.includes('"username":"777777"'))).toHaveLength(1);
});

test("[broker] a device publishes under its own serial; another's topic ends its connection and stores nothing", async () => {
  const thief = await farm.connect(SOIL);
  const closed = new Promise<void>((resolve) => thief.once("close", () => resolve()));
  thief.publish(topic.up(FOREIGN.serial), '{"moisture": 1}', { qos: 1 });
  await closed;
  const rows = await farm.app.database.query("select 1 from reading where sensor_id = $1", [FOREIGN.id]);
  expect(rows).toEqual([]);
});

test("[broker] refuses a subscription to another device's topics", async () => {
  const device = await farm.connect(SOIL);
  const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  await expect(device.subscribeAsync("mulkko/out/#")).rejects.toThrow();
  await expect(device.subscribeAsync("#")).rejects.toThrow();
  await expect(relay.subscribeAsync("mulkko/+/up")).rejects.toThrow();
  expect(await relay.subscribeAsync("mulkko/out/#")).toMatchObject([{ topic: "mulkko/out/#" }]);
});

test("[broker] a session ends with its connection: commands sent meanwhile never arrive", async () => {
  const options = { clientId: "box", clean: false };
  const received: string[] = [];
  const first = await farm.connect(VALVES, options);
  await first.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/onoff`, { qos: 1 });
  expect(farm.app.broker.hasSession(VALVES.serial)).toBe(true);
  await first.endAsync();
  await eventually(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
  await farm.app.broker.publish({
    topic: topic.channelCommand(VALVES.serial, 1, "onoff"),
    payload: "old",
    qos: 1,
  });
  const second = await farm.connect(VALVES, options);
  second.on("message", (_name, payload) => received.push(payload.toString()));
  await second.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/onoff`, { qos: 1 });
  await farm.app.broker.publish({
    topic: topic.channelCommand(VALVES.serial, 1, "onoff"),
    payload: "new",
    qos: 1,
  });
  await eventually(() => expect(received).toEqual(["new"]));
  await second.endAsync();
});

test("[broker] a device cannot disconnect another by using its client id", async () => {
  const mine = await farm.connect(VALVES, { clientId: "same" });
  const other = await farm.connect(FOREIGN_VALVES, { clientId: "same" });
  await other.publishAsync(topic.status(FOREIGN_VALVES.serial), "online", { qos: 1 });
  expect(mine.connected).toBe(true);
  await Promise.all([mine.endAsync(), other.endAsync()]);
});

test("[broker] an oversized packet or invalid MQTT ends that connection only", async () => {
  const steady = await farm.connect(SOIL, { clientId: "steady" });
  for (const bytes of [
    Uint8Array.of(0x10, 0xff, 0xff, 0xff, 0x7f),
    Buffer.from("GET / HTTP/1.1\r\n\r\n"),
    Uint8Array.of(0x00, 0x00, 0xff, 0xff),
  ]) {
    const socket = connectSocket(farm.app.mqttPort ?? 0, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.resume();
    socket.end(bytes);
    await once(socket, "close");
  }
  await steady.publishAsync(topic.up(SOIL.serial), '{"moisture": 12}', { qos: 1 });
  expect(steady.connected).toBe(true);
});

test("[broker] delivers no message that is too large to store", async () => {
  const received: string[] = [];
  const device = await farm.connect(SOIL, { clientId: "large" });
  device.on("message", (_name, payload) => received.push(payload.toString().slice(0, 20)));
  await device.subscribeAsync(`mulkko/${SOIL.serial}/up`);
  await device.publishAsync(topic.up(SOIL.serial), "x".repeat(MAX_MESSAGE_BYTES + 1), { qos: 1 });
  await device.publishAsync(topic.up(SOIL.serial), '{"moisture": 13}', { qos: 1 });
  await eventually(() => expect(received).toEqual(['{"moisture": 13}']));
  await device.endAsync();
});

test("[broker] disconnects a subscriber that does not read; its publisher and all others continue", async () => {
  const deaf = await farm.connect(SOIL, { clientId: "deaf" });
  await deaf.subscribeAsync(`mulkko/${SOIL.serial}/#`);
  const ended = new Promise<void>((resolve) => deaf.stream.once("close", () => resolve()));
  deaf.stream.pause();
  const publisher = await farm.connect(SOIL, { clientId: "loud" });
  const valves = await farm.connect(VALVES, { clientId: "others" });
  const received: string[] = [];
  valves.on("message", (_name, payload) => received.push(payload.toString()));
  await valves.subscribeAsync(`mulkko/${VALVES.serial}/ch/1/cmd/onoff`);
  const before = farm.app.broker.cuts()["slow-reader"] ?? 0;
  const big = "x".repeat(MAX_MESSAGE_BYTES);
  // More than the kernel buffers for a reader that does not read.
  for (let n = 0; n < 400; n += 1) await publisher.publishAsync(topic.up(SOIL.serial), big, { qos: 1 });
  expect(farm.app.broker.cuts()["slow-reader"]).toBe(before + 1);
  const command = topic.channelCommand(VALVES.serial, 1, "onoff");
  await farm.app.broker.publish({ topic: command, payload: "open", qos: 1 });
  await eventually(() => expect(received).toEqual(["open"]));
  expect(farm.app.broker.isUp()).toBe(true);
  deaf.stream.resume();
  await ended;
  await Promise.all([publisher.endAsync(), valves.endAsync()]);
});

test("[broker] limits the filters of a connection; unsubscribing makes room", async () => {
  const device = await farm.connect(VALVES, { clientId: "filters" });
  const filters = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) =>
    ["state", "#", "cmd/#", "cmd/+", "cmd/onoff"].map((end) => `mulkko/${VALVES.serial}/ch/${number}/${end}`),
  );
  for (const filter of filters.slice(0, MAX_FILTERS)) await device.subscribeAsync(filter);
  const one = filters[MAX_FILTERS] ?? "";
  await expect(device.subscribeAsync(one)).rejects.toThrow();
  await device.subscribeAsync(filters[0] ?? "");
  await device.unsubscribeAsync(filters[0] ?? "");
  await device.subscribeAsync(one);
  await device.endAsync();
});

test("[broker] one connection too many of a key ends its oldest", async () => {
  const lines: MqttClient[] = [];
  for (let n = 0; n <= MAX_KEY_CONNECTIONS; n += 1)
    lines.push(await farm.connect(FOREIGN, { clientId: `many-${n}` }));
  await eventually(() => expect(lines.map(({ connected }) => connected).indexOf(true)).toBe(1));
  expect(lines.filter(({ connected }) => connected)).toHaveLength(MAX_KEY_CONNECTIONS);
  await Promise.all(lines.map((line) => line.endAsync(true)));
});

test("[broker] refuses an MQTT 5 client in MQTT 5, logs it once, and lists it", async () => {
  for (let n = 0; n < 3; n += 1) {
    const knocks = farm.connect(SOIL, { protocolVersion: 5, clientId: `five-${n}` });
    await expect(knocks).rejects.toMatchObject({ code: 0x84 });
  }
  expect(farm.lines.filter((line) => line.includes("speaks MQTT 5"))).toHaveLength(1);
  await farm.app.ingest.deadLetters.flush();
  const letters = await farm.app.database.query(
    "select topic, serial, reason from dead_letter where reason = 'mqtt-5'",
  );
  expect(letters).toEqual([{ topic: "$connect", serial: String(SOIL.serial), reason: "mqtt-5" }]);
  const ready = await farm.app.inject("/ready");
  expect(ready.json()).toMatchObject({ broker: true, rejected: { "mqtt-5": 1 } });
});

/** The link of the test's controller, as the API knows it. */
const linkOfValves = (): "up" | "lost" => linkOf(farm.app.ingest.links.of(VALVES.id));
/** Return a connection of the controller that obeys commands. */
async function obeying(clientId: string): Promise<MqttClient> {
  const client = await farm.connect(VALVES, { clientId });
  await client.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/#`, { qos: 1 });
  return client;
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 400));

test("[WILL-2] a controller without a will is lost when its connection breaks, and back when it obeys again", async () => {
  // The connections of the tests before have ended here, and not only at their clients.
  await eventually(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
  const valves = await obeying("controller");
  await valves.publishAsync(topic.channelState(VALVES.serial, 1), '{"onoff": 2}', { qos: 1 });
  expect(linkOfValves()).toBe("up");
  valves.stream.destroy();
  await eventually(() => expect(linkOfValves()).toBe("lost"));
  await obeying("controller");
  await eventually(() => expect(linkOfValves()).toBe("up"));
});

test("[WILL-2] a controller whose connection breaks right after it subscribed stays lost", async () => {
  for (let n = 0; n < 3; n += 1) {
    farm.app.broker.endSession(VALVES.serial);
    await eventually(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
    const valves = await obeying(`hasty-${n}`);
    valves.stream.destroy();
    await eventually(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
    await settled();
    expect(linkOfValves()).toBe("lost");
    await obeying(`back-${n}`);
    await eventually(() => expect(linkOfValves()).toBe("up"));
  }
});

test("[WILL-2] a DISCONNECT, another connection and a publisher that obeys nothing lose no controller", async () => {
  const [first, second] = [await obeying("one"), await obeying("two")];
  first.stream.destroy();
  await settled();
  expect(linkOfValves()).toBe("up");
  // The same client id takes the connection over.
  const third = await obeying("two");
  await settled();
  expect(second.connected).toBe(false);
  expect(linkOfValves()).toBe("up");
  await third.endAsync();
  const helper = await farm.connect(VALVES);
  helper.stream.destroy();
  await settled();
  expect(linkOfValves()).toBe("up");
});

test.each(["offline", '{"online": false}', "OFFLINE", '{"status": "down"}'])(
  "[WILL-1] a last will of %s loses the controller, and its birth brings it back",
  async (payload) => {
    const will = { topic: topic.status(VALVES.serial), payload: Buffer.from(payload), qos: 1 } as const;
    const valves = await farm.connect(VALVES, { will });
    valves.stream.destroy();
    await eventually(() => expect(linkOfValves()).toBe("lost"));
    const back = await farm.connect(VALVES);
    await back.publishAsync(topic.status(VALVES.serial), '{"online": true}', { qos: 1 });
    await eventually(() => expect(linkOfValves()).toBe("up"));
    await back.endAsync();
  },
);

test("[LINK-3] a channel is of before the loss until it reports itself, and is asked for as soon as its controller obeys", async () => {
  farm.app.broker.endSession(VALVES.serial);
  await eventually(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
  const say = (client: MqttClient, number: number) =>
    client.publishAsync(topic.channelState(VALVES.serial, number), '{"onoff": 2}', { qos: 1 });
  const isBefore = (): boolean[] =>
    [1, 2].map((number) => farm.app.ingest.links.ofChannel(VALVES.id, number).isBeforeLoss);
  const valves = await obeying("controller");
  await say(valves, 1);
  await say(valves, 2);
  expect(isBefore()).toEqual([false, false]);
  valves.stream.destroy();
  await eventually(() => expect(linkOfValves()).toBe("lost"));
  expect(isBefore()).toEqual([true, true]);
  const back = await farm.connect(VALVES, { clientId: "controller" });
  const asked: string[] = [];
  back.on("message", (name) => {
    if (name.endsWith("/report")) asked.push(name);
  });
  await back.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/#`, { qos: 1 });
  await eventually(() => expect(linkOfValves()).toBe("up"));
  await eventually(() =>
    expect(asked.toSorted()).toEqual(
      [1, 2].map((number) => topic.channelCommand(VALVES.serial, number, "report")),
    ),
  );
  await say(back, 1);
  expect(isBefore()).toEqual([false, true]);
  const { authorization } = await farm.signIn("farmer-one");
  const read = async (channelId: number): Promise<unknown> => {
    const url = pathTo(channelState, { serial: VALVES.serial, channelId });
    return (await farm.app.inject({ method: "GET", url, headers: { authorization } })).json();
  };
  expect(await read(1)).not.toHaveProperty("beforeLoss");
  expect(await read(2)).toMatchObject({ link: "up", beforeLoss: true });
  await say(back, 2);
  expect(await read(2)).not.toHaveProperty("beforeLoss");
  await back.endAsync();
});
