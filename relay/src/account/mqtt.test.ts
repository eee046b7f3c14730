import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { topic } from "@mulkko/shared/mqtt/topics";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { type RunningMosquitto, startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { mosquittoPub } from "@mulkko/testing/engines/mosquitto-pub";
import { afterEach, expect, test, vi } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createMqttSource, type MqttSource, type ReceivedMessage } from "./mqtt.ts";

/** First bytes of two MQTT packets. */
const CONNECT = 0x10;
const SUBSCRIBE = 0x82;
const KEY = "0123456789abcdef";
const USERS = { relay: KEY, api: "key-of-the-api" };
const ACL = ["user relay", "topic read mulkko/#", "user api", "topic readwrite mulkko/#", ""].join("\n");

/** Tests start processes on a machine that other jobs use too. */
const PATIENT = { timeout: 20_000 };

let brokers: RunningMosquitto[] = [];
let sources: MqttSource[] = [];
let servers: Server[] = [];
let sockets: Socket[] = [];

afterEach(async () => {
  await Promise.all(sources.map((source) => source.close()));
  await Promise.all(brokers.map((broker) => broker.stop()));
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  sources = [];
  brokers = [];
  servers = [];
  sockets = [];
});

async function startBroker(port?: number): Promise<RunningMosquitto> {
  const broker = await startMosquitto({ users: USERS, acl: ACL, ...(port !== undefined && { port }) });
  brokers.push(broker);
  return broker;
}

/**
 * Start a broker that accepts every client and answers subscriptions under the test's control: `0` grants,
 * `0x80` refuses. It supports the packets of an MQTT 3.1.1 connection start; a real broker cannot be delayed
 * like this.
 */
async function startSlowBroker() {
  const grants: ((code: number) => void)[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (packet) => {
      if (packet[0] === CONNECT) socket.write(Buffer.from([0x20, 2, 0, 0]));
      const [kind, , high = 0, low = 0] = packet;
      if (kind === SUBSCRIBE)
        grants.push((code) => void socket.write(Buffer.from([0x90, 3, high, low, code])));
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the broker has no port");
  return { url: `mqtt://127.0.0.1:${address.port}`, grants };
}

/** Start a source at a real broker, and collect its events. */
function listenAt(
  url: string,
  key: string | undefined = KEY,
  handle: (message: ReceivedMessage) => void = () => undefined,
) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const log = createCapturedLog();
  const states: string[] = [];
  const received: ReceivedMessage[] = [];
  let rejected = 0;
  const source = createMqttSource({
    url,
    key,
    clock,
    timers,
    log,
    observer: {
      state: (state) => void states.push(state),
      message(message) {
        handle(message);
        received.push(message);
      },
      rejected() {
        rejected += 1;
      },
    },
  });
  sources.push(source);
  return {
    source,
    clock,
    timers,
    states,
    received,
    texts: () => received.map(({ payload }) => Buffer.from(payload).toString()),
    rejected: () => rejected,
    lines: (level: string) => log.lines.filter((line) => line.level === level),
    until: (state: string) => vi.waitFor(() => expect(states.at(-1)).toBe(state), PATIENT),
  };
}

/** Publish as the farm API does, through a separate client. */
const say = (broker: RunningMosquitto, name: string, message: string | Uint8Array): Promise<void> =>
  mosquittoPub({ ...broker, user: "api", password: USERS.api, topic: name, message });

test("[MQTT-1] every output of the API is received unchanged, with its arrival time", async () => {
  const broker = await startBroker();
  const source = listenAt(broker.url);
  await source.until("up");
  expect(source.states).toEqual(["up"]);
  const bytes = Buffer.from([0, 0xff, 0xeb, 0xac, 0xbc]);
  await say(broker, topic.outSensor("u1", "s1"), bytes);
  await say(broker, topic.outChannel("u2", "11"), "{}");
  await say(broker, topic.outNotification("u1"), "n");
  await say(broker, topic.outChanged("u1"), "c");
  await vi.waitFor(() => expect(source.received).toHaveLength(4), PATIENT);
  expect(source.received.map((message) => message.topic)).toEqual([
    { kind: "sensor", userId: "u1", id: "s1" },
    { kind: "channel", userId: "u2", id: "11" },
    { kind: "noti", userId: "u1" },
    { kind: "changed", userId: "u1" },
  ]);
  expect(Buffer.from(source.received[0]?.payload ?? []).equals(bytes)).toBe(true);
  expect(source.received.map(({ arrivedAt }) => arrivedAt)).toEqual(Array(4).fill(source.clock.now()));
  expect(source.rejected()).toBe(0);
});

test("[MQTT-1] messages of devices are not received, and outputs of an unknown kind count as rejected", async () => {
  const broker = await startBroker();
  const source = listenAt(broker.url);
  await source.until("up");
  await say(broker, topic.up(100_001), "of a device");
  await say(broker, "mulkko/out/u1/weather", "of another kind");
  await say(broker, "mulkko/out/u1/sensor/s1/more", "too deep");
  await say(broker, topic.outChanged("u1"), "known");
  await vi.waitFor(() => expect(source.texts()).toEqual(["known"]), PATIENT);
  expect(source.rejected()).toBe(2);
});

test("[MQTT-1] a message over 64 KiB is rejected, one of 64 KiB is received, and the connection stays open", async () => {
  const broker = await startBroker();
  const source = listenAt(broker.url);
  await source.until("up");
  await say(broker, topic.outSensor("u1", "s1"), "x".repeat(65_537));
  await say(broker, topic.outSensor("u1", "s2"), "x".repeat(65_536));
  await vi.waitFor(() => expect(source.received).toHaveLength(1), PATIENT);
  expect([source.received[0]?.payload.byteLength, source.rejected()]).toEqual([65_536, 1]);
});

test("[MQTT-1] a message that makes its handler fail is logged and counted, and later ones are received", async () => {
  const broker = await startBroker();
  const source = listenAt(broker.url, KEY, ({ payload }) => {
    if (Buffer.from(payload).toString() === "poison") throw new Error("it breaks");
  });
  await source.until("up");
  await say(broker, topic.outChanged("u1"), "poison");
  await say(broker, topic.outChanged("u1"), "well");
  await vi.waitFor(() => expect(source.texts()).toEqual(["well"]), PATIENT);
  expect(source.rejected()).toBe(1);
  expect(source.lines("error")).toHaveLength(1);
  expect(source.states).toEqual(["up"]);
});

test("[ONL-4] a lost broker is down, logged once per outage, and received again when it is back", async () => {
  const first = await startBroker();
  const source = listenAt(first.url);
  await source.until("up");
  brokers = [];
  await first.stop();
  await source.until("down");
  // Several failed attempts.
  await vi.waitFor(() => expect(source.states.length).toBeGreaterThanOrEqual(4), PATIENT);
  expect(source.lines("warn")).toHaveLength(1);
  const second = await startBroker(first.port);
  await source.until("up");
  await say(second, topic.outChanged("u1"), "after the break");
  await vi.waitFor(() => expect(source.texts()).toEqual(["after the break"]), PATIENT);
  expect(source.states.filter((state) => state === "up")).toHaveLength(2);
  expect(source.lines("info")).toHaveLength(2);
});

test("[start] a broker that starts together with the relay is waited for; after half a minute it is missing", async () => {
  const free = createServer();
  free.listen(0, "127.0.0.1");
  await once(free, "listening");
  const address = free.address();
  if (address === null || typeof address === "string") throw new Error("there is no port");
  free.close();
  const source = listenAt(`mqtt://127.0.0.1:${address.port}`);
  await vi.waitFor(() => expect(source.lines("info")).toHaveLength(1), PATIENT);
  expect(source.lines("info")[0]?.message).toBe("waiting for MQTT broker");
  expect(source.lines("warn")).toEqual([]);
  source.clock.advance(30_000);
  await vi.waitFor(() => expect(source.lines("warn")).toHaveLength(1), PATIENT);
  expect(Object.keys(source.lines("warn")[0]?.fields ?? {})).toEqual(["event", "reason"]);
});

test("[MQTT-1] a broker that rejects the key is never up, and no key is logged", async () => {
  const broker = await startBroker();
  const source = listenAt(broker.url, "a-wrong-key-of-the-relay");
  await vi.waitFor(() => expect(source.lines("warn")).toHaveLength(1), PATIENT);
  await source.until("down");
  expect(source.states).not.toContain("up");
  const { fields, message } = source.lines("warn")[0] ?? {};
  expect(message).toContain("polled");
  expect(Object.keys(fields ?? {})).toEqual(["event", "reason"]);
  expect(`${JSON.stringify(fields)} ${Object.values(fields ?? {}).join()}`).not.toContain("a-wrong-key");
});

test("[MQTT-1] a closed source emits nothing and does not reconnect", async () => {
  const broker = await startBroker();
  const source = listenAt(broker.url);
  const observer = listenAt(broker.url);
  await Promise.all([source.until("up"), observer.until("up")]);
  await source.source.close();
  await say(broker, topic.outChanged("u1"), "too late");
  await vi.waitFor(() => expect(observer.received).toHaveLength(1), PATIENT);
  expect(source.states).toEqual(["up"]);
  expect(source.received).toEqual([]);
});

test("[MQTT-1] the broker is up once it has granted the subscription, not at the connection", async () => {
  const broker = await startSlowBroker();
  const source = listenAt(broker.url);
  await vi.waitFor(() => expect(broker.grants).toHaveLength(1), PATIENT);
  expect(source.states).toEqual([]);
  broker.grants[0]?.(0);
  await source.until("up");
});

test("[MQTT-1] a broker that refuses the subscription is not up, is logged, and asked again after half a minute", async () => {
  const broker = await startSlowBroker();
  const source = listenAt(broker.url);
  await vi.waitFor(() => expect(broker.grants).toHaveLength(1), PATIENT);
  broker.grants[0]?.(0x80);
  await vi.waitFor(() => expect(source.lines("warn")).toHaveLength(1), PATIENT);
  expect(source.states).not.toContain("up");
  source.timers.advance(30_000);
  await vi.waitFor(() => expect(broker.grants).toHaveLength(2), PATIENT);
  broker.grants[1]?.(0);
  await source.until("up");
});
