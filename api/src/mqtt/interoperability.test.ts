import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { topic } from "@mulkko/shared/mqtt/topics";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { IPublishPacket, MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FOREIGN, SOIL, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";

// The embedded broker as every MQTT 3.1.1 client may use it (docs/devices.md).

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

const UP = topic.up(SOIL.serial);
const ALL = `mulkko/${SOIL.serial}/#`;
const STATUS = `mulkko/${VALVES.serial}/status`;
const STATE = `mulkko/${VALVES.serial}/ch/1/state`;
const COMMAND = topic.channelCommand(VALVES.serial, 1, "onoff");
const COMMANDS = `mulkko/${VALVES.serial}/ch/+/cmd/onoff`;
let values = 0;
/** Return a reading that no other test sends. */
const reading = (): { moisture: number; text: string } => {
  values += 1;
  const moisture = 10 + values / 10;
  return { moisture, text: JSON.stringify({ moisture }) };
};

/** Collect the messages of a client, in order. */
function collect(client: MqttClient): IPublishPacket[] {
  const received: IPublishPacket[] = [];
  client.on("message", (_topic, _payload, packet) => received.push(packet));
  return received;
}
const texts = (received: readonly IPublishPacket[]): string[] =>
  received.map(({ payload }) => String(payload));
const storedTimes = async (moisture: number): Promise<number> => {
  const rows = await farm.app.database.query(
    "select 1 from reading where sensor_id = $1 and abs(moisture - $2) < 0.001",
    [SOIL.id, moisture],
  );
  return rows.length;
};
/** Wait for all messages in transit to a client: its own message arrives after them. */
async function drain(client: MqttClient, received: readonly IPublishPacket[]): Promise<void> {
  const { text } = reading();
  await client.subscribeAsync(UP);
  await client.publishAsync(UP, text, { qos: 1 });
  await eventually(() => expect(texts(received)).toContain(text));
}

const closeOf = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => client.once("close", () => resolve()));

const text16 = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
};
/** Encode a packet of fewer than 128 bytes. */
const packetOf = (first: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  if (body.length > 127) throw new RangeError("the packet needs a longer length");
  return Buffer.concat([Buffer.of(first, body.length), body]);
};
/** Open a raw connection that sends given bytes and never answers by itself. */
async function openRaw(
  device: { serial: number; key: string },
  { clientId, keepAlive = 60, clean = true }: { clientId: string; keepAlive?: number; clean?: boolean },
): Promise<{ socket: Socket; received(): Buffer }> {
  const socket = connectSocket(farm.app.mqttPort ?? 0, "127.0.0.1");
  let received = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  await once(socket, "connect");
  const head = Buffer.of(4, 0xc0 | (clean ? 2 : 0), keepAlive >> 8, keepAlive & 0xff);
  socket.write(
    packetOf(0x10, text16("MQTT"), head, text16(clientId), text16(String(device.serial)), text16(device.key)),
  );
  return { socket, received: () => received };
}

test.each([
  ["3.1", { protocolId: "MQIsdp", protocolVersion: 3 }],
  ["3.1.1", { protocolId: "MQTT", protocolVersion: 4 }],
] as const)("[broker] a client of MQTT %s is taken, and its reading stored", async (version, protocol) => {
  const client = await farm.connect(SOIL, { ...protocol, clientId: `version-${version}` });
  const { moisture, text } = reading();
  await client.publishAsync(UP, text, { qos: 1 });
  expect(await storedTimes(moisture)).toBe(1);
  await client.endAsync();
});

test.each([true, false])("[broker] no session is present for a client with clean: %s", async (clean) => {
  const options = { clientId: `session-${clean}`, clean };
  await (await farm.connect(SOIL, options)).endAsync();
  const again = await openRaw(SOIL, options);
  await eventually(() => expect([...again.received()]).toEqual([0x20, 2, 0, 0]));
  again.socket.destroy();
});

test.each([0, 1, 2] as const)("[broker] a reading of QoS %i is stored once", async (qos) => {
  const client = await farm.connect(SOIL, { clientId: `qos-${qos}` });
  const { moisture, text } = reading();
  await client.publishAsync(UP, text, { qos });
  await eventually(async () => expect(await storedTimes(moisture)).toBe(1));
  await client.endAsync();
});

test.each([
  [0, 2],
  [1, 2],
  [1, 1],
  [1, 0],
  [2, 2],
  [2, 0],
] as const)(
  "[broker] a message of QoS %i reaches a subscriber of QoS %i by the lower of both",
  async (sent, wanted) => {
    const client = await farm.connect(SOIL, { clientId: `lower-${sent}-${wanted}` });
    const received = collect(client);
    expect(await client.subscribeAsync(ALL, { qos: wanted })).toMatchObject([{ qos: wanted }]);
    const { text } = reading();
    await client.publishAsync(UP, text, { qos: sent });
    await eventually(() => expect(texts(received)).toEqual([text]));
    expect(received[0]?.qos).toBe(Math.min(sent, wanted));
    await client.endAsync();
  },
);

test("[broker] messages of one client arrive in the order in which it sent them", async () => {
  const client = await farm.connect(SOIL, { clientId: "order" });
  const received = collect(client);
  await client.subscribeAsync(UP, { qos: 1 });
  const sent = Array.from({ length: 40 }, () => reading().text);
  await Promise.all(sent.map((text) => client.publishAsync(UP, text, { qos: 1 })));
  await eventually(() => expect(texts(received)).toEqual(sent));
  await client.endAsync();
});

test("[broker] retains a state for later subscribers, marks it as retained, and clears it by an empty message", async () => {
  const box = await farm.connect(VALVES, { clientId: "retains" });
  const state = JSON.stringify({ onoff: 2, at: new Date().toISOString() });
  await box.publishAsync(STATE, state, { qos: 1, retain: true });
  const late = await farm.connect(VALVES, { clientId: "late" });
  const received = collect(late);
  await late.subscribeAsync(STATE, { qos: 1 });
  await eventually(() => expect(texts(received)).toEqual([state]));
  expect(received[0]?.retain).toBe(true);
  // A client that is already subscribed receives it without the retained flag.
  await box.publishAsync(STATE, state, { qos: 1, retain: true });
  await eventually(() => expect(received).toHaveLength(2));
  expect(received[1]?.retain).toBe(false);
  await box.publishAsync(STATE, "", { qos: 1, retain: true });
  const later = await farm.connect(VALVES, { clientId: "later" });
  const nothing = collect(later);
  await later.subscribeAsync([STATE, COMMANDS], { qos: 1 });
  await farm.app.broker.publish({ topic: COMMAND, payload: "news", qos: 1 });
  await eventually(() => expect(texts(nothing)).toEqual(["news"]));
  await Promise.all([box.endAsync(), late.endAsync(), later.endAsync()]);
});

test("[broker] does not retain a reading for later subscribers: it is in the database", async () => {
  const client = await farm.connect(SOIL, { clientId: "no-retain" });
  await client.publishAsync(UP, reading().text, { qos: 1, retain: true });
  const received = collect(client);
  await drain(client, received);
  expect(received).toHaveLength(1);
  await client.endAsync();
});

test("[broker] publishes a last will when the connection breaks, not when its client disconnects", async () => {
  const watcher = await farm.connect(VALVES, { clientId: "watcher" });
  const received = collect(watcher);
  await watcher.subscribeAsync(STATUS, { qos: 1 });
  const will = (payload: string) => ({ topic: STATUS, payload, qos: 1 as const, retain: false });
  const polite = await farm.connect(VALVES, { clientId: "polite", will: will("polite") });
  await polite.endAsync();
  const broken = await farm.connect(VALVES, { clientId: "broken", will: will("broken") });
  broken.stream.destroy();
  await eventually(() => expect(texts(received)).toEqual(["broken"]));
  await watcher.endAsync();
});

test("[broker] disconnects a silent client after one and a half keep-alives; a ping prevents it", async () => {
  const quiet = await openRaw(SOIL, { clientId: "quiet", keepAlive: 1 });
  const alive = await farm.connect(SOIL, { clientId: "alive", keepalive: 1 });
  await once(quiet.socket, "close");
  expect([...quiet.received()]).toEqual([0x20, 2, 0, 0]);
  expect(alive.connected).toBe(true);
  await alive.endAsync();
});

test("[broker] delivers a message once to a client with two matching filters", async () => {
  const client = await farm.connect(SOIL, { clientId: "overlap" });
  const received = collect(client);
  await client.subscribeAsync({ [ALL]: { qos: 1 }, [UP]: { qos: 1 } });
  const { text } = reading();
  await client.publishAsync(UP, text, { qos: 1 });
  await drain(client, received);
  expect(texts(received).filter((each) => each === text)).toHaveLength(1);
  await client.endAsync();
});

test("[broker] a second subscription to the same filter replaces the first", async () => {
  const client = await farm.connect(SOIL, { clientId: "twice" });
  const received = collect(client);
  await client.subscribeAsync(UP, { qos: 1 });
  expect(await client.subscribeAsync(UP, { qos: 0 })).toMatchObject([{ qos: 0 }]);
  const { text } = reading();
  await client.publishAsync(UP, text, { qos: 1 });
  await drain(client, received);
  expect(texts(received).filter((each) => each === text)).toHaveLength(1);
  expect(received[0]?.qos).toBe(0);
  await client.endAsync();
});

test("[broker] clients without a name coexist, even with the same key", async () => {
  const [one, two] = [await openRaw(SOIL, { clientId: "" }), await openRaw(SOIL, { clientId: "" })];
  for (const { received } of [one, two]) {
    await eventually(() => expect([...received()]).toEqual([0x20, 2, 0, 0]));
  }
  for (const { socket } of [one, two]) socket.write(Buffer.of(0xc0, 0));
  for (const { received } of [one, two]) {
    await eventually(() => expect([...received().subarray(4)]).toEqual([0xd0, 0]));
  }
  for (const { socket } of [one, two]) socket.destroy();
});

test("[broker] a repeated client id ends the older connection of the same key, and of no other key", async () => {
  const first = await farm.connect(SOIL, { clientId: "same" });
  const foreign = await farm.connect(FOREIGN, { clientId: "same" });
  const gone = closeOf(first);
  const second = await farm.connect(SOIL, { clientId: "same" });
  await gone;
  expect([second.connected, foreign.connected]).toEqual([true, true]);
  await Promise.all([second.endAsync(), foreign.endAsync()]);
});

test("[broker] never sends later what a device missed while away or did not acknowledge", async () => {
  const options = { clientId: "away", clean: false };
  const raw = await openRaw(VALVES, options);
  await eventually(() => expect(raw.received()).toHaveLength(4));
  raw.socket.write(packetOf(0x82, Buffer.of(0, 1), text16(COMMANDS), Buffer.of(1)));
  await eventually(() => expect([...raw.received().subarray(4)]).toEqual([0x90, 3, 0, 1, 1]));
  await farm.app.broker.publish({ topic: COMMAND, payload: "unacknowledged", qos: 1 });
  await eventually(() => expect(raw.received().toString()).toContain("unacknowledged"));
  raw.socket.destroy();
  await eventually(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
  await farm.app.broker.publish({ topic: COMMAND, payload: "while away", qos: 1 });
  const back = await farm.connect(VALVES, options);
  const received = collect(back);
  await back.subscribeAsync(COMMANDS, { qos: 1 });
  await farm.app.broker.publish({ topic: COMMAND, payload: "new", qos: 1 });
  await eventually(() => expect(texts(received)).toEqual(["new"]));
  await back.endAsync();
});

test.each([1, 2] as const)(
  "[broker] acknowledges a repeated message of QoS %i again and stores it once",
  async (qos) => {
    const raw = await openRaw(SOIL, { clientId: `again-${qos}` });
    await eventually(() => expect(raw.received()).toHaveLength(4));
    const { moisture, text } = reading();
    const payload = Buffer.from(text);
    const publish = (dup: number) => packetOf(0x30 | (qos << 1) | dup, text16(UP), Buffer.of(0, 9), payload);
    raw.socket.write(publish(0));
    const acknowledged = qos === 1 ? [0x40, 2, 0, 9] : [0x50, 2, 0, 9];
    await eventually(() => expect([...raw.received().subarray(4)]).toEqual(acknowledged));
    raw.socket.write(publish(8));
    await eventually(() => expect([...raw.received().subarray(8)]).toEqual(acknowledged));
    if (qos === 2) {
      for (const offset of [12, 16]) {
        raw.socket.write(Buffer.of(0x62, 2, 0, 9));
        await eventually(() => expect([...raw.received().subarray(offset)]).toEqual([0x70, 2, 0, 9]));
      }
    }
    await eventually(async () => expect(await storedTimes(moisture)).toBe(1));
    raw.socket.destroy();
  },
);

test("[broker] delivers nothing after an unsubscription; acknowledges one for an unknown filter", async () => {
  const client = await farm.connect(SOIL, { clientId: "unsubscribes" });
  const received = collect(client);
  await client.subscribeAsync(ALL, { qos: 1 });
  await client.unsubscribeAsync([ALL, STATUS]);
  const { text } = reading();
  await client.publishAsync(UP, text, { qos: 1 });
  await drain(client, received);
  expect(texts(received)).not.toContain(text);
  await client.endAsync();
});

test("[broker] answers each of several filters in one packet separately", async () => {
  const raw = await openRaw(SOIL, { clientId: "several" });
  await eventually(() => expect(raw.received()).toHaveLength(4));
  const filters = [UP, "$SYS/#", topic.up(FOREIGN.serial)];
  raw.socket.write(
    packetOf(0x82, Buffer.of(0, 7), ...filters.flatMap((filter) => [text16(filter), Buffer.of(1)])),
  );
  await eventually(() => expect([...raw.received().subarray(4)]).toEqual([0x90, 5, 0, 7, 1, 0x80, 0x80]));
  raw.socket.destroy();
});

test("[broker] lets no device read or write the broker's own topics ($…)", async () => {
  const reader = await farm.connect(SOIL, { clientId: "dollar" });
  const received = collect(reader);
  await expect(reader.subscribeAsync("$SYS/mulkko/pulse")).rejects.toThrow();
  await drain(reader, received);
  expect(received.filter(({ topic: name }) => name.startsWith("$"))).toEqual([]);
  const gone = closeOf(reader);
  reader.publish("$SYS/mulkko/pulse", "mine");
  await gone;
});

test("[broker] a packet before the first CONNECT, and a second CONNECT, end the connection", async () => {
  const early = connectSocket(farm.app.mqttPort ?? 0, "127.0.0.1");
  await once(early, "connect");
  early.write(Buffer.of(0xc0, 0));
  await once(early, "close");
  const twice = await openRaw(SOIL, { clientId: "connects-twice" });
  await eventually(() => expect(twice.received()).toHaveLength(4));
  twice.socket.write(
    packetOf(
      0x10,
      text16("MQTT"),
      Buffer.of(4, 0xc2, 0, 60),
      text16("other"),
      text16(String(SOIL.serial)),
      text16(SOIL.key),
    ),
  );
  await once(twice.socket, "close");
});
