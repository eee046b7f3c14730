import { OutReading } from "@mulkko/shared/mqtt/out-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chirpstackUp, thingsStackUp } from "../../../testing/lorawan/network-messages.ts";
import {
  FARMER,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
  WEATHER,
} from "../../../testing/test-farm.ts";
import { Ingest } from "../ingest.ts";

const KEY = "uplink-key-of-tests";
const USER = { username: "network-server", password: KEY };
const EUI = "a84041000181c061";
const WEATHER_EUI = "70b3d57ba0000123";
const VALVES_EUI = "70b3d57ba0000456";
const LSE01 = { Bat: 3.625, conduct_SOIL: 28_200, temp_SOIL: "24.59", water_SOIL: "19.57" };

let farm: TestFarm;
let server: MqttClient;
let received: { topic: string; body: Record<string, unknown> }[] = [];

const register = (id: string, externalId: string | null, profile: string | null): Promise<unknown> =>
  farm.app.database.query("update device set external_id = $2, profile = $3 where id = $1", [
    id,
    externalId,
    profile,
  ]);

beforeAll(async () => {
  farm = await startTestFarm({ UPLINK_KEY: KEY });
  await register(SOIL.id, EUI.toUpperCase(), "dragino-lse01");
  await register(WEATHER.id, WEATHER_EUI, null);
  await register(VALVES.id, VALVES_EUI, "dragino-lse01");
  await farm.app.deviceIndex.reload();
  const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  relay.on("message", (name, payload) =>
    received.push({ topic: name, body: JSON.parse(payload.toString()) }),
  );
  await relay.subscribeAsync("mulkko/out/#");
  server = await farm.connect(USER);
});
afterAll(() => farm.close());
beforeEach(async () => {
  received = [];
  await farm.app.database.query("delete from reading");
  await farm.app.database.query("delete from latest");
  await farm.app.ingest.deadLetters.flush();
  await farm.app.database.query("delete from dead_letter");
});

const chirpstackTopic = (devEui: string, event = "up"): string =>
  `application/17c82e96-be03-4f38-aef3-f83d48582d97/device/${devEui}/event/${event}`;
const send = (name: string, body: object): Promise<unknown> =>
  server.publishAsync(name, JSON.stringify(body), { qos: 1 });
const readings = (): Promise<Record<string, unknown>[]> =>
  farm.app.database.query("select * from reading order by at");
const letters = async (): Promise<{ reason: string; field: string | null; serial: string | null }[]> => {
  await farm.app.ingest.deadLetters.flush();
  return farm.app.database.query("select reason, field, serial from dead_letter order by id");
};

describe("[uplink] from the broker to the relay", () => {
  test("[uplink] an event of ChirpStack becomes the latest reading and is sent to the relay", async () => {
    const time = "2026-11-21T02:59:58.775023242+00:00";
    await send(chirpstackTopic(EUI), chirpstackUp({ devEui: EUI, time, decoded: LSE01, rssi: [-117, -97] }));
    const at = Date.parse("2026-11-21T02:59:58.775Z");
    const [latest] = await farm.app.database.query("select * from latest where sensor_id = $1", [SOIL.id]);
    expect(latest).toMatchObject({
      at,
      received_at: farm.clock.now(),
      moisture: 19.57,
      soilTemperature: 24.59,
      battery: 100,
      rssi: -97,
      ec: null,
    });
    expect(await readings()).toHaveLength(1);
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]?.topic).toBe(topic.outSensor(FARMER, SOIL.id));
    expect(parse(OutReading, received[0]?.body).ok).toBe(true);
    expect(received[0]?.body).toMatchObject({ at: new Date(at).toISOString(), moisture: 19.57, rssi: -97 });
    expect(await letters()).toEqual([]);
  });

  test("[uplink] does the same for a message of The Things Stack", async () => {
    const name = "v3/farm@ttn/devices/soil-1/up";
    await send(name, thingsStackUp({ devEui: EUI, decoded: LSE01, rssi: [-88] }));
    expect(await readings()).toMatchObject([
      { at: Date.parse("2026-11-21T02:59:58.789Z"), moisture: 19.57, rssi: -88 },
    ]);
  });

  test("[uplink] stores the same frame once, with or without its own time", async () => {
    const message = chirpstackUp({ devEui: EUI, decoded: LSE01 });
    await send(chirpstackTopic(EUI), message);
    await send(chirpstackTopic(EUI), message);
    expect(await readings()).toHaveLength(1);
    const timeless = { ...message, deduplicationId: "another", time: undefined, rxInfo: [] };
    await send(chirpstackTopic(EUI), timeless);
    farm.clock.advance(1_000);
    await send(chirpstackTopic(EUI), timeless);
    expect(await readings()).toHaveLength(2);
  });

  test.each([0, 3_600_000, -3_600_000, 10 * 365 * 86_400_000])(
    "[uplink] stores frames once that come again after others, while the clocks differ by %i ms",
    async (offsetMs) => {
      const frames: object[] = [];
      for (let index = 0; index < 12; index += 1) {
        const time = new Date(farm.clock.now() - offsetMs).toISOString();
        const decoded = { ...LSE01, temp_SOIL: `${10 + index}.00` };
        const frame = {
          ...chirpstackUp({ devEui: EUI, time, decoded }),
          deduplicationId: `${offsetMs} ${index}`,
        };
        frames.push(frame);
        await send(chirpstackTopic(EUI), frame);
        farm.clock.advance(7_000);
      }
      for (const frame of frames) await send(chirpstackTopic(EUI), frame);
      expect(await readings()).toHaveLength(frames.length);
    },
  );

  test("[uplink] stores the last frame once that comes again after a restart, while the clocks differ", async () => {
    const { database, deviceIndex, profiles, log } = farm.app;
    const ingest = (): Ingest =>
      new Ingest({
        ...{ database, deviceIndex, profiles, clock: farm.clock, timers: nodeTimers, logger: log },
        ...{ zone: createApiTimeZone("Asia/Seoul"), wrote: () => undefined },
      });
    let last = { topic: "", payload: Buffer.from(""), retained: false, duplicate: false, connection: "one" };
    const before = ingest();
    await before.load();
    for (let index = 0; index < 8; index += 1) {
      const time = new Date(farm.clock.now() - 3_600_000).toISOString();
      const decoded = { ...LSE01, temp_SOIL: `${10 + index}.00` };
      const frame = { ...chirpstackUp({ devEui: EUI, time, decoded }), deduplicationId: `last ${index}` };
      last = { ...last, topic: chirpstackTopic(EUI), payload: Buffer.from(JSON.stringify(frame)) };
      await before.handle(last);
      farm.clock.advance(7_000);
    }
    await before.stop();
    const after = ingest();
    await after.load();
    await after.handle({ ...last, duplicate: true, connection: "two" });
    await after.stop();
    expect(await readings()).toHaveLength(8);
  });

  test("[uplink] stores a late frame without replacing a newer reading", async () => {
    const late = { ...LSE01, water_SOIL: "11.00" };
    await send(chirpstackTopic(EUI), chirpstackUp({ devEui: EUI, decoded: LSE01 }));
    await send(
      chirpstackTopic(EUI),
      chirpstackUp({ devEui: EUI, decoded: late, time: "2026-11-20T00:00:00Z" }),
    );
    expect((await readings()).map(({ moisture }) => moisture)).toEqual([11, 19.57]);
    const [latest] = await farm.app.database.query("select moisture from latest where sensor_id = $1", [
      SOIL.id,
    ]);
    expect(latest).toEqual({ moisture: 19.57 });
  });

  test("[uplink] counts and records rejected messages with their reason", async () => {
    const before = farm.app.ingest.deadLetters.counts()["unknown-external-id"] ?? 0;
    const stranger = "ffffffffffffffff";
    await send(chirpstackTopic(stranger), chirpstackUp({ devEui: stranger, decoded: LSE01 }));
    await send(chirpstackTopic(WEATHER_EUI), chirpstackUp({ devEui: WEATHER_EUI, decoded: LSE01 }));
    await send(chirpstackTopic(VALVES_EUI), chirpstackUp({ devEui: VALVES_EUI, decoded: LSE01 }));
    await send(chirpstackTopic(EUI), chirpstackUp({ devEui: EUI, decoded: { water_SOIL: "230" } }));
    await send(chirpstackTopic(EUI), chirpstackUp({ devEui: EUI }));
    await send(chirpstackTopic(EUI), { deviceInfo: {} });
    await server.publishAsync(chirpstackTopic(EUI), "{nonsense", { qos: 1 });
    expect(await letters()).toEqual([
      { reason: "unknown-external-id", field: null, serial: null },
      { reason: "no-profile", field: null, serial: String(WEATHER.serial) },
      { reason: "unknown-topic", field: null, serial: String(VALVES.serial) },
      { reason: "out-of-range", field: "moisture", serial: String(SOIL.serial) },
      { reason: "no-usable-field", field: null, serial: String(SOIL.serial) },
      { reason: "not-decoded", field: null, serial: null },
      { reason: "wrong-type", field: "deviceInfo", serial: null },
      { reason: "not-json", field: null, serial: null },
    ]);
    expect(await readings()).toEqual([]);
    expect(farm.app.ingest.deadLetters.counts()["unknown-external-id"]).toBe(before + 1);
  });

  test("[uplink] names a missing profile", async () => {
    await register(WEATHER.id, WEATHER_EUI, "never-written");
    await farm.app.deviceIndex.reload();
    await send(chirpstackTopic(WEATHER_EUI), chirpstackUp({ devEui: WEATHER_EUI, decoded: LSE01 }));
    expect(await letters()).toMatchObject([{ reason: "no-profile", field: "never-written" }]);
  });

  test("[uplink] counts events with nothing to store by name, and stores nothing of them", async () => {
    for (const event of ["join", "status", "ack", "ack"]) await send(chirpstackTopic(EUI, event), {});
    await send(chirpstackTopic(EUI), chirpstackUp({ devEui: EUI, decoded: { Work_mode: 1 } }));
    await send("v3/farm/devices/soil-1/join", {});
    expect(farm.app.ingest.ignored()).toEqual({
      "chirpstack join": 1,
      "chirpstack status": 1,
      "chirpstack ack": 2,
      "nothing measured": 1,
      "tts join": 1,
    });
    expect(await letters()).toEqual([]);
    expect(await readings()).toEqual([]);
  });
});

describe("[uplink] permitted senders", () => {
  test("[uplink] a network server uses its own topics only and cannot subscribe", async () => {
    const other = await farm.connect(USER, { clientId: "other" });
    for (const filter of ["#", "mulkko/out/#", "application/#", "application/+/device/+/command/+"]) {
      await expect(other.subscribeAsync(filter)).rejects.toThrow();
    }
    const closed = new Promise<void>((resolve) => other.once("close", () => resolve()));
    other.publish(topic.up(SOIL.serial), '{"moisture": 1}', { qos: 1 });
    await closed;
    expect(await readings()).toEqual([]);
  });

  test("[uplink] a device cannot publish for a network server", async () => {
    const device = await farm.connect(SOIL);
    const closed = new Promise<void>((resolve) => device.once("close", () => resolve()));
    const message = chirpstackUp({ devEui: EUI, decoded: LSE01 });
    device.publish(chirpstackTopic(EUI), JSON.stringify(message), { qos: 1 });
    await closed;
    expect(await readings()).toEqual([]);
  });

  test("[uplink] refuses a wrong key", async () => {
    await expect(farm.connect({ username: "network-server", password: "guess" })).rejects.toThrow();
  });
});
