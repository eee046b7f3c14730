import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { topic } from "@mulkko/shared/mqtt/topics";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  FOREIGN,
  FOREIGN_VALVES,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../testing/test-farm.ts";

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

test("[broker] a device publishes under its own serial; another's topic ends its connection and stores nothing", async () => {
  const thief = await farm.connect(SOIL);
  const closed = new Promise<void>((resolve) => thief.once("close", () => resolve()));
  thief.publish(topic.up(FOREIGN.serial), '{"moisture": 1}', { qos: 1 });
  await closed;
  const rows = await farm.app.database.query("select 1 from reading where sensor_id = $1", [FOREIGN.id]);
  expect(rows).toEqual([]);
});

test("[broker] a subscription to what is not one's own is refused", async () => {
  const device = await farm.connect(SOIL);
  const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  await expect(device.subscribeAsync("mulkko/out/#")).rejects.toThrow();
  await expect(device.subscribeAsync("#")).rejects.toThrow();
  await expect(relay.subscribeAsync("mulkko/+/up")).rejects.toThrow();
  expect(await relay.subscribeAsync("mulkko/out/#")).toMatchObject([{ topic: "mulkko/out/#" }]);
});

test("[broker] a session is over with its connection: what was commanded meanwhile never arrives", async () => {
  const options = { clientId: "box", clean: false };
  const heard: string[] = [];
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
  second.on("message", (_name, payload) => heard.push(payload.toString()));
  await second.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/onoff`, { qos: 1 });
  await farm.app.broker.publish({
    topic: topic.channelCommand(VALVES.serial, 1, "onoff"),
    payload: "new",
    qos: 1,
  });
  await eventually(() => expect(heard).toEqual(["new"]));
  await second.endAsync();
});

test("[broker] a device cannot push another off the line by taking its client id", async () => {
  const mine = await farm.connect(VALVES, { clientId: "same" });
  const other = await farm.connect(FOREIGN_VALVES, { clientId: "same" });
  await other.publishAsync(topic.status(FOREIGN_VALVES.serial), "online", { qos: 1 });
  expect(mine.connected).toBe(true);
  await Promise.all([mine.endAsync(), other.endAsync()]);
});

test("[broker] a packet that announces too many bytes, and bytes that are no MQTT, end that connection alone", async () => {
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
