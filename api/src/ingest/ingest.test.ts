import { OutChannel, OutReading } from "@mulkko/shared/mqtt/out-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import { parse } from "@mulkko/shared/schema/parse";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  COT,
  FARMER,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../testing/test-farm.ts";
import { linkOf } from "../devices/device-links.ts";
import { meanMoisture } from "../valves/controller-repository.ts";
import { Ingest } from "./ingest.ts";

let farm: TestFarm;
let relay: MqttClient;
let device: MqttClient;
let received: { topic: string; body: Record<string, unknown> }[] = [];

beforeAll(async () => {
  farm = await startTestFarm();
  relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  relay.on("message", (name, payload) =>
    received.push({ topic: name, body: JSON.parse(payload.toString()) }),
  );
  await relay.subscribeAsync("mulkko/out/#");
  device = await farm.connect(SOIL);
});
afterAll(() => farm.close());
let drains = 0;
beforeEach(async () => {
  // Outputs arrive in their order: with this one everything has arrived that earlier tests sent.
  drains += 1;
  const id = `drain-${drains}`;
  farm.app.ingest.outputs.changed(FARMER, "farm", id);
  await eventually(() => expect(received.map(({ body }) => body.id)).toContain(id));
  received = [];
  farm.clock.advance(60_000);
});

const up = (body: unknown, client = device): Promise<unknown> =>
  client.publishAsync(topic.up(SOIL.serial), typeof body === "string" ? body : JSON.stringify(body), {
    qos: 1,
  });
const rows = (): Promise<{ at: number; moisture: number | null }[]> =>
  farm.app.database.query("select at, moisture from reading where sensor_id = $1 order by at", [SOIL.id]);
const latest = async (): Promise<Record<string, unknown> | undefined> =>
  (await farm.app.database.query("select * from latest where sensor_id = $1", [SOIL.id]))[0];
const letters = async (): Promise<{ reason: string; field: string | null; serial: string }[]> => {
  await farm.app.ingest.deadLetters.flush();
  const found = await farm.app.database.query<{ reason: string; field: string | null; serial: string }>(
    "select reason, field, serial from dead_letter order by id",
  );
  await farm.app.database.query("delete from dead_letter");
  return found;
};
const now = (): string => new Date(farm.clock.now()).toISOString();

describe("[ingest] readings", () => {
  test("[ingest] stores a message before it is acknowledged, and then sends it to the relay", async () => {
    const before = (await rows()).length;
    await up({ at: now(), soilTemperature: 18.5, moisture: 31, battery: 80, rssi: -70, fwversion: "1.2" });
    expect(await rows()).toHaveLength(before + 1);
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]?.topic).toBe(topic.outSensor(FARMER, SOIL.id));
    expect(parse(OutReading, received[0]?.body).ok).toBe(true);
    expect(received[0]?.body).toMatchObject({
      at: now(),
      receivedAt: now(),
      moisture: 31,
      rssi: -70,
      fwversion: "1.2",
    });
  });

  test("[ingest] reads aliases, numbers as text, NaN and null according to the catalogue", async () => {
    await farm.app.database.query("delete from latest");
    await up('{"mois": "29.5", "soilTemperature": NaN, "battery": "", "rssi": null}');
    expect(await latest()).toMatchObject({
      moisture: 29.5,
      soilTemperature: null,
      battery: null,
      rssi: null,
    });
  });

  test("[ingest] reports a field out of its physical range, and stores the rest", async () => {
    await farm.app.database.query("delete from latest");
    await up({ at: now(), moisture: 140, soilTemperature: 17 });
    expect(await latest()).toMatchObject({ moisture: null, soilTemperature: 17 });
    expect(await letters()).toEqual([
      { reason: "out-of-range", field: "moisture", serial: String(SOIL.serial) },
    ]);
  });

  test("[ingest] stores and sends a late reading, without replacing a newer latest value", async () => {
    await up({ at: now(), moisture: 33 });
    const late = new Date(farm.clock.now() - 30_000).toISOString();
    const before = (await rows()).length;
    await up({ at: late, moisture: 11 });
    expect(await rows()).toHaveLength(before + 1);
    expect(await latest()).toMatchObject({ moisture: 33 });
    await eventually(() => expect(received.map(({ body }) => body.at)).toContain(late));
  });

  test("[ingest] a message without a field keeps that field's last value, with its own time", async () => {
    const measured = now();
    await up({ at: measured, moisture: 44.4, soilTemperature: 11.1, fwversion: "3.1" });
    farm.clock.advance(1_000);
    await up({ battery: 77 });
    expect(await latest()).toMatchObject({
      moisture: 44.4,
      soilTemperature: 11.1,
      battery: 77,
      fwversion: "3.1",
    });
    const { authorization } = await farm.signIn("farmer-one");
    for (const path of [
      `/api/v1/sensor/read/log/${SOIL.id}/latest`,
      `/api/v1/sensor/read/log/${SOIL.id}/latest/mqtt`,
    ]) {
      const entry = (await farm.app.inject({ url: path, headers: { authorization } })).json();
      expect(entry).toMatchObject({ moisture: 44.4, battery: 77 });
      expect(entry.fieldTimes).toMatchObject({ moisture: measured, soilTemperature: measured });
      expect(entry.fieldTimes).not.toHaveProperty("battery");
    }
  });

  test("[ingest] a late reading updates only fields without a newer value", async () => {
    await farm.app.database.query("delete from latest");
    const late = new Date(farm.clock.now() - 20_000).toISOString();
    const later = new Date(farm.clock.now() - 10_000).toISOString();
    await up({ at: now(), battery: 70 });
    await up({ at: late, moisture: 21, battery: 60 });
    expect(await latest()).toMatchObject({ battery: 70, moisture: 21, at: farm.clock.now() });
    await up({ at: later, moisture: 22 });
    await up({ at: late, moisture: 20, soilTemperature: 5 });
    const row = await latest();
    expect(row).toMatchObject({ battery: 70, moisture: 22, soilTemperature: 5 });
    expect(row?.field_at).toMatchObject({
      battery: farm.clock.now(),
      moisture: Date.parse(later),
      // Another reading has that millisecond.
      soilTemperature: Date.parse(late) + 1,
    });
  });

  test("[ingest] ignores old moisture as a channel's moisture, even with a recent battery value", async () => {
    await up({ at: now(), moisture: 44 });
    farm.clock.advance(2 * 3_600_000);
    await up({ battery: 77 });
    const moisture = await meanMoisture(farm.app.database, 1, farm.clock.now() - MOISTURE_FRESH_MS);
    expect(moisture).toBeNull();
    await up({ moisture: 40 });
    expect(await meanMoisture(farm.app.database, 1, farm.clock.now() - MOISTURE_FRESH_MS)).toBe(40);
  });

  test("[ingest] stores and sends the same reading once", async () => {
    const body = { at: now(), moisture: 34 };
    const before = (await rows()).length;
    await Promise.all([up(body), up(body), up(body)]);
    await up(body);
    await up({ at: new Date(farm.clock.now() + 1).toISOString(), moisture: 35 });
    expect(await rows()).toHaveLength(before + 2);
    await eventually(() => expect(received.map(({ body: { moisture } }) => moisture)).toEqual([34, 35]));
  });

  test("[ingest] without a time, an equal message is a repetition after a reconnect, but not on one connection", async () => {
    const before = (await rows()).length;
    await up({ moisture: 36 });
    farm.clock.advance(5_000);
    await up({ moisture: 36 });
    expect(await rows()).toHaveLength(before + 2);
    farm.clock.advance(5_000);
    const again = await farm.connect(SOIL, { clientId: "again" });
    await up({ moisture: 36 }, again);
    expect(await rows()).toHaveLength(before + 2);
    farm.clock.advance(11_000);
    await up({ moisture: 36 });
    expect(await rows()).toHaveLength(before + 3);
  });

  test("[ingest] stores fifty readings without a time in one millisecond, in order of arrival", async () => {
    const before = (await rows()).length;
    const sent = Array.from({ length: 50 }, (_, index) => 60 + index / 10);
    await Promise.all(sent.map((moisture) => up({ moisture })));
    const kept = (await rows()).slice(before);
    expect(kept.map(({ moisture }) => moisture)).toEqual(sent);
    expect(kept[0]?.at).toBe(farm.clock.now());
    expect(await latest()).toMatchObject({ moisture: 64.9 });
    await eventually(() => expect(received.map(({ body: { moisture } }) => moisture)).toEqual(sent));
  });

  test.each([
    ["not-json", "moisture=3"],
    ["wrong-type", "[1, 2]"],
    ["wrong-type", "42"],
    ["no-usable-field", "{}"],
    ["no-usable-field", '{"moisture": null}'],
    ["too-large", `{"moisture": 3, "note": "${"x".repeat(64 * 1024)}"}`],
    ["not-json", "\u0000\u0001"],
  ])("[ingest] %s: a broken message is set aside, and the next one is taken", async (reason, payload) => {
    const before = (await rows()).length;
    await up(payload);
    expect(await letters()).toEqual([{ reason, field: null, serial: String(SOIL.serial) }]);
    expect(await rows()).toHaveLength(before);
    await up({ at: now(), moisture: 20 });
    expect(await rows()).toHaveLength(before + 1);
  });

  test.each([
    ["bad-time", "yesterday"],
    ["bad-time", "1970-01-01T00:00:14Z"],
    ["bad-time", "2000-01-01T00:05:00Z"],
    ["bad-time", "-1"],
    ["from-future", "9999-12-31T23:59:59Z"],
    ["from-future", "2026-11-22T03:00:00Z"],
  ])(
    "[ORD-2] a reading with the unbelievable time (%s) %s counts as of its arrival, marked",
    async (reason, at) => {
      const before = (await rows()).length;
      await up({ at, moisture: 12 });
      expect(await letters()).toEqual([{ reason, field: "at", serial: String(SOIL.serial) }]);
      expect((await rows()).slice(before)).toEqual([{ at: farm.clock.now(), moisture: 12 }]);
      expect(await latest()).toMatchObject({ moisture: 12, at: farm.clock.now() });
      await eventually(() => expect(received.map(({ body }) => body.moisture)).toEqual([12]));
      expect(received[0]?.body.clockWrongSince).toBeTypeOf("string");
      farm.clock.advance(1_000);
      await up({ at: now(), moisture: 13 });
      expect(await latest()).toMatchObject({ moisture: 13, clock_wrong_since: null });
    },
  );

  test("[ORD-1] accepts a lead of five minutes as the device's own time", async () => {
    const before = (await rows()).length;
    await up({ at: new Date(farm.clock.now() + 299_000).toISOString(), moisture: 20 });
    expect((await rows()).slice(before).map(({ at }) => at)).toEqual([farm.clock.now() + 299_000]);
    farm.clock.advance(300_000);
  });

  test("[ORD-1] after the server's clock is set back, the next reading is the latest one", async () => {
    await up({ moisture: 40 });
    farm.clock.jump(-30 * 60_000);
    await up({ moisture: 12 });
    expect(await latest()).toMatchObject({ moisture: 12, at: farm.clock.now() });
    await eventually(() => expect(received.map(({ body }) => body.moisture)).toEqual([40, 12]));
    const [first, second] = received.map(({ body }) => Number(body.arrival));
    expect(second).toBeGreaterThan(first ?? Number.NaN);
    farm.clock.jump(30 * 60_000);
  });

  test("[ORD-3] learns a clock that is nine hours behind from three readings, and lets it count again", async () => {
    const behind = (): string => new Date(farm.clock.now() - 9 * 3_600_000).toISOString();
    await up({ at: now(), moisture: 50 });
    for (const moisture of [21, 22, 23]) {
      farm.clock.advance(60_000);
      await up({ at: behind(), moisture });
    }
    expect(await latest()).toMatchObject({ moisture: 23, at: farm.clock.now() });
    farm.clock.advance(60_000);
    await up({ at: behind(), moisture: 24 });
    expect(await latest()).toMatchObject({ moisture: 24, at: farm.clock.now() });
    expect((await latest())?.clock_wrong_since).not.toBeNull();
    farm.clock.advance(60_000);
    await up({ at: now(), moisture: 25 });
    expect(await latest()).toMatchObject({ moisture: 25, clock_wrong_since: null });
  });

  test("[TIME-1] a backlog without a zone is stored at its times, and marks no clock", async () => {
    await farm.app.database.query("delete from latest");
    await up({ at: now(), moisture: 33 });
    const local = (ms: number): string =>
      new Date(farm.clock.now() + 9 * 3_600_000 - ms).toISOString().slice(0, 19).replace("T", " ");
    const before = (await rows()).length;
    for (const minutes of [184, 124, 64]) {
      await up({ at: local(minutes * 60_000), moisture: minutes / 10 });
      farm.clock.advance(10_000);
    }
    expect(await rows()).toHaveLength(before + 3);
    expect(await latest()).toMatchObject({ moisture: 33, clock_wrong_since: null });
    expect(await letters()).toEqual([]);
  });

  test("[ORD-1] a forwarded backlog never replaces a newer value, however many readings it has", async () => {
    await up({ at: now(), moisture: 50 });
    for (let minutes = 300; minutes > 0; minutes -= 10)
      await up({ at: new Date(farm.clock.now() - minutes * 60_000).toISOString(), moisture: 10 });
    expect(await latest()).toMatchObject({ moisture: 50, at: farm.clock.now(), clock_wrong_since: null });
  });

  test("[ingest] readiness shows the counts of rejections", async () => {
    await up("nonsense");
    const ready = await farm.app.inject("/ready");
    expect(ready.statusCode).toBe(200);
    expect(ready.json().rejected["not-json"]).toBeGreaterThan(0);
    await letters();
  });
});

describe("[ingest] valves", () => {
  const report = (client: MqttClient, serial: number, number: number, body: object): Promise<unknown> =>
    client.publishAsync(topic.channelState(serial, number), JSON.stringify(body), { qos: 1, retain: true });

  test("[ingest] sends a channel's report with its times, its run and its command", async () => {
    const valves = await farm.connect(VALVES);
    const runUntil = new Date(farm.clock.now() + 60_000).toISOString();
    await report(valves, VALVES.serial, 1, { at: now(), onoff: 1, runUntil, commandId: "c-1", rssi: -61 });
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]?.topic).toBe(topic.outChannel(FARMER, 1));
    expect(parse(OutChannel, received[0]?.body).ok).toBe(true);
    expect(received[0]?.body).toMatchObject({
      onoff: 1,
      at: now(),
      heardAt: now(),
      runUntil,
      commandId: "c-1",
      link: "up",
      isLive: true,
    });
    await valves.endAsync();
  });

  test("[ORD-5] a live report that looks older makes the channel unknown, and asks its controller", async () => {
    const valves = await farm.connect(VALVES);
    const asked: string[] = [];
    valves.on("message", (name) => asked.push(name));
    await valves.subscribeAsync(topic.channelCommand(VALVES.serial, 2, "report"));
    const earlier = (ms: number): string => new Date(farm.clock.now() - ms).toISOString();
    await report(valves, VALVES.serial, 2, { at: now(), onoff: 1 });
    await report(valves, VALVES.serial, 2, { at: earlier(5_000), onoff: 2 });
    await eventually(() => expect(received.map(({ body }) => body.onoff)).toEqual([1, 0]));
    await eventually(() => expect(asked).toContain(topic.channelCommand(VALVES.serial, 2, "report")));
    await report(valves, VALVES.serial, 2, { at: earlier(4_000), onoff: 2 });
    await eventually(() => expect(received.map(({ body }) => body.onoff)).toEqual([1, 0, 2]));
    expect(received[2]?.body).toMatchObject({ at: now(), clockWrongSince: now() });
    await valves.endAsync();
  });

  test("[ORD-5] a controller of an unknown channel is asked again when it connects and when the API starts", async () => {
    const valves = await farm.connect(VALVES);
    await report(valves, VALVES.serial, 2, { onoff: 1 });
    await farm.app.ingest.handle({
      topic: topic.channelState(VALVES.serial, 2),
      payload: Buffer.from('{"onoff":2}'),
      ...{ duplicate: false, retained: true, connection: "states" },
    });
    await valves.endAsync();
    const back = await farm.connect(VALVES);
    const asked: string[] = [];
    back.on("message", (name) => asked.push(name));
    const question = topic.channelCommand(VALVES.serial, 2, "report");
    await back.subscribeAsync(question);
    await eventually(() => expect(asked).toContain(question));
    const { database, deviceIndex, profiles, log } = farm.app;
    const zone = createApiTimeZone("Asia/Seoul");
    const next = new Ingest({
      ...{
        database,
        deviceIndex,
        profiles,
        zone,
        clock: farm.clock,
        timers: nodeTimers,
        logger: log,
        wrote: () => undefined,
      },
    });
    await next.load();
    expect([1, 2].filter((number) => next.isUnknown(VALVES.id, number))).toEqual([2]);
    await report(back, VALVES.serial, 2, { onoff: 2 });
    expect(farm.app.ingest.isUnknown(VALVES.id, 2)).toBe(false);
    await back.endAsync();
  });

  test("[ORD-5] without an answer, the report that looked older counts as of its arrival, marked", async () => {
    const valves = await farm.connect(VALVES);
    await report(valves, VALVES.serial, 2, { at: now(), onoff: 2 });
    await report(valves, VALVES.serial, 2, {
      at: new Date(farm.clock.now() - 5_000).toISOString(),
      onoff: 1,
    });
    const arrived = now();
    await eventually(() => expect(received.map(({ body }) => body.onoff)).toEqual([2, 0]));
    farm.clock.advance(11_000);
    await eventually(() => expect(received.map(({ body }) => body.onoff)).toEqual([2, 0, 1]));
    expect(received[2]?.body).toMatchObject({ at: arrived, clockWrongSince: arrived });
    await valves.endAsync();
  });

  test.each(["1970-01-01T00:00:14Z", "2000-01-01T00:00:14Z", "9999-01-01T00:00:00Z", "soon", 14])(
    "[ORD-2] a report with the unbelievable time %s counts as of its arrival, in both directions",
    async (at) => {
      const valves = await farm.connect(VALVES);
      await report(valves, VALVES.serial, 1, { at: now(), onoff: 2 });
      await report(valves, VALVES.serial, 1, { at, onoff: 1 });
      await report(valves, VALVES.serial, 1, { at, onoff: 2 });
      await eventually(() => expect(received.map(({ body }) => body.onoff)).toEqual([2, 1, 2]));
      expect(received[1]?.body).toMatchObject({ at: now(), heardAt: now(), clockWrongSince: now() });
      await valves.endAsync();
      await letters();
    },
  );

  const MINUTES = 60_000;
  test.each([
    ["nine hours ahead", 540 * MINUTES, "Z"],
    ["of 1970", -Date.UTC(2026, 10, 20), "Z"],
    ["ten hours ahead, written without a zone", 600 * MINUTES, ""],
  ])(
    "[ORD-7] the end of a run by a clock %s is its arrival and the time that is left",
    async (_what, ahead, zone) => {
      const valves = await farm.connect(VALVES);
      const stated = (ms: number): string =>
        new Date(farm.clock.now() + ahead + ms).toISOString().replace("Z", zone);
      const runUntil = stated(10 * MINUTES);
      const end = new Date(farm.clock.now() + 10 * MINUTES).toISOString();
      await report(valves, VALVES.serial, 1, { at: stated(0), onoff: 1, runUntil });
      farm.clock.advance(60_000);
      await report(valves, VALVES.serial, 1, { at: stated(0), onoff: 1, runUntil });
      await eventually(() => expect(received.map(({ body }) => body.runUntil)).toEqual([end, end]));
      expect(received[1]?.body).toMatchObject({ at: now(), clockWrongSince: expect.any(String) });
      await report(valves, VALVES.serial, 1, { onoff: 2 });
      await valves.endAsync();
      await letters();
    },
  );

  test("[ORD-7] the end of a run by a learned clock half an hour behind is of the API's clock", async () => {
    const valves = await farm.connect(VALVES);
    const stated = (ms: number): string => new Date(farm.clock.now() - 30 * MINUTES + ms).toISOString();
    for (let index = 0; index < 4; index += 1) {
      await report(valves, VALVES.serial, 1, { at: stated(0), onoff: 2 });
      farm.clock.advance(10_000);
    }
    await report(valves, VALVES.serial, 1, { at: stated(0), onoff: 1, runUntil: stated(10 * MINUTES) });
    const end = new Date(farm.clock.now() + 10 * MINUTES).toISOString();
    await eventually(() =>
      expect(received.at(-1)?.body).toMatchObject({ onoff: 1, at: now(), runUntil: end }),
    );
    await report(valves, VALVES.serial, 1, { onoff: 2 });
    await valves.endAsync();
    await letters();
  });

  test("[ORD-7] the end of a run that looked older counts with its report as of its arrival", async () => {
    const valves = await farm.connect(VALVES);
    await report(valves, VALVES.serial, 2, { at: now(), onoff: 2 });
    const earlier = (ms: number): string => new Date(farm.clock.now() - 30 * MINUTES + ms).toISOString();
    await report(valves, VALVES.serial, 2, { at: earlier(0), onoff: 1, runUntil: earlier(10 * MINUTES) });
    const end = new Date(farm.clock.now() + 10 * MINUTES).toISOString();
    await eventually(() => expect(received.at(-1)?.body).toMatchObject({ onoff: 0, runUntil: null }));
    // The answer; the same message again would be a repeated delivery.
    const left = 10 * MINUTES + 1_000;
    await report(valves, VALVES.serial, 2, { at: earlier(1_000), onoff: 1, runUntil: earlier(left) });
    await eventually(() => expect(received.at(-1)?.body).toMatchObject({ onoff: 1, runUntil: end }));
    await report(valves, VALVES.serial, 2, { onoff: 2 });
    await valves.endAsync();
  });

  test("[ORD-7] an end that cannot be one is null, and marks a clock that states nothing else", async () => {
    const valves = await farm.connect(VALVES);
    await report(valves, VALVES.serial, 1, { onoff: 1, runUntil: "1970-01-01T00:10:14Z" });
    await eventually(() =>
      expect(received.at(-1)?.body).toMatchObject({ onoff: 1, runUntil: null, clockWrongSince: now() }),
    );
    expect(await letters()).toEqual([
      { reason: "bad-time", field: "runUntil", serial: String(VALVES.serial) },
    ]);
    await report(valves, VALVES.serial, 1, { onoff: 2, runUntil: "1970-01-01T00:00:00Z" });
    await eventually(() => expect(received.at(-1)?.body).toMatchObject({ onoff: 2, clockWrongSince: null }));
    expect(await letters()).toEqual([]);
    await valves.endAsync();
  });

  test("[ORD-1] after the server's clock is set back, the next report is the state", async () => {
    const valves = await farm.connect(VALVES);
    await report(valves, VALVES.serial, 1, { onoff: 2 });
    farm.clock.jump(-30 * 60_000);
    await report(valves, VALVES.serial, 1, { onoff: 1 });
    await eventually(() => expect(received.map(({ body }) => body.onoff)).toEqual([2, 1]));
    expect(received[1]?.body).toMatchObject({ at: now(), heardAt: now(), link: "up" });
    farm.clock.jump(30 * 60_000);
    await valves.endAsync();
  });

  test("[ingest] a last will makes the link lost at once, and the next message restores it", async () => {
    const valves = await farm.connect(VALVES, {
      will: { topic: topic.status(VALVES.serial), payload: Buffer.from("offline"), qos: 1, retain: true },
    });
    await valves.publishAsync(topic.status(VALVES.serial), "online", { qos: 1, retain: true });
    await report(valves, VALVES.serial, 1, { at: now(), onoff: 2 });
    await eventually(() => expect(received).toHaveLength(1));
    farm.clock.advance(1_000);
    received = [];
    valves.stream.destroy();
    await eventually(() => expect(received.map(({ body }) => body.link)).toEqual(["lost", "lost"]));
    const back = await farm.connect(VALVES);
    received = [];
    farm.clock.advance(1_000);
    await back.publishAsync(topic.status(VALVES.serial), "online", { qos: 1, retain: true });
    await eventually(() => expect(received.map(({ body }) => body.link)).toEqual(["up", "up"]));
    await back.endAsync();
  });

  describe("the broker's retained copy", () => {
    const retained = (name: string, payload: string): Promise<void> =>
      farm.app.ingest.handle({
        topic: name,
        payload: Buffer.from(payload),
        duplicate: false,
        retained: true,
        connection: "states",
      });
    const state = (body: object): Promise<void> =>
      retained(topic.channelState(VALVES.serial, 1), JSON.stringify(body));
    const stored = async () => {
      const [row] = await farm.app.database.query<{
        onoff: number;
        at: number | null;
        heard_at: number | null;
      }>("select onoff, at, heard_at from channel_state where device_id = $1 and number = 1", [VALVES.id]);
      const [link] = await farm.app.database.query<{ heard_at: number | null }>(
        "select heard_at from device_link where device_id = $1",
        [VALVES.id],
      );
      return { ...row, contact: link?.heard_at };
    };

    test("[ORD-4] of a state without a time is no contact, and shows nothing new", async () => {
      const valves = await farm.connect(VALVES);
      await report(valves, VALVES.serial, 1, { onoff: 1 });
      const before = await stored();
      farm.clock.advance(120_000);
      await state({ onoff: 1 });
      await state({ onoff: 1, at: "1970-01-01T00:00:14Z" });
      expect(await stored()).toEqual(before);
      await valves.endAsync();
    });

    test("[ORD-4] of another state without a time makes the channel unknown, and asks its controller", async () => {
      const valves = await farm.connect(VALVES);
      const asked: string[] = [];
      valves.on("message", (name) => asked.push(name));
      await valves.subscribeAsync(topic.channelCommand(VALVES.serial, 1, "report"));
      await report(valves, VALVES.serial, 1, { onoff: 2 });
      const before = await stored();
      farm.clock.advance(120_000);
      received = [];
      await state({ onoff: 1 });
      expect(await stored()).toEqual({ ...before, onoff: 0 });
      await eventually(() => expect(received.at(-1)?.body).toMatchObject({ onoff: 0, isLive: false }));
      await eventually(() => expect(asked).not.toEqual([]));
      farm.clock.advance(60_000);
      await eventually(async () => expect(await stored()).toMatchObject({ onoff: 0 }));
      await report(valves, VALVES.serial, 1, { onoff: 1 });
      expect(await stored()).toMatchObject({ onoff: 1, heard_at: farm.clock.now() });
      await valves.endAsync();
    });

    test("[ORD-4] of a newer state counts at its own time", async () => {
      const valves = await farm.connect(VALVES);
      await report(valves, VALVES.serial, 1, { onoff: 2 });
      farm.clock.advance(120_000);
      const at = farm.clock.now() - 60_000;
      received = [];
      await state({ onoff: 1, at: new Date(at).toISOString() });
      await eventually(() => expect(received.at(-1)?.body).toMatchObject({ onoff: 1, isLive: false }));
      expect(await stored()).toEqual({ onoff: 1, at, heard_at: at, contact: at });
      await valves.endAsync();
    });

    test("[ORD-4] does not end the contact of a report that is stored together with it", async () => {
      const valves = await farm.connect(VALVES);
      await report(valves, VALVES.serial, 1, { onoff: 2 });
      farm.clock.advance(120_000);
      const contact = farm.clock.now();
      const later = new Date(contact).toISOString();
      await Promise.all([
        farm.app.ingest.handle({
          topic: topic.channelState(VALVES.serial, 1),
          payload: Buffer.from('{"onoff":1}'),
          ...{ duplicate: false, retained: false, connection: "states" },
        }),
        state({ onoff: 2, at: later }),
        state({ onoff: 2 }),
      ]);
      expect(await stored()).toMatchObject({ heard_at: contact, contact });
      await valves.endAsync();
    });

    test("[ORD-4] of `online` restores no link; the device's own message does", async () => {
      const valves = await farm.connect(VALVES);
      await report(valves, VALVES.serial, 1, { onoff: 2 });
      await valves.publishAsync(topic.status(VALVES.serial), "offline", { qos: 1 });
      received = [];
      await retained(topic.status(VALVES.serial), "online");
      expect(linkOf(farm.app.ingest.links.of(VALVES.id))).toBe("lost");
      await report(valves, VALVES.serial, 1, { onoff: 2 });
      expect(linkOf(farm.app.ingest.links.of(VALVES.id))).toBe("up");
      await valves.endAsync();
    });

    test("[ORD-4] of a reading without a time is set aside, and one with a time is a late reading", async () => {
      await up({ at: now(), moisture: 33 });
      await letters();
      await retained(topic.up(SOIL.serial), '{"moisture": 5}');
      expect((await letters()).map(({ reason, field }) => [reason, field])).toEqual([["bad-time", "at"]]);
      const at = new Date(farm.clock.now() - 60_000).toISOString();
      await retained(topic.up(SOIL.serial), JSON.stringify({ moisture: 6, at }));
      expect(await latest()).toMatchObject({ moisture: 33 });
      expect((await rows()).at(-2)).toMatchObject({ at: Date.parse(at), moisture: 6 });
    });
  });

  test("[ingest] logs the channels of a COT sensor and sends them under sensor and number", async () => {
    const cot = await farm.connect(COT);
    await report(cot, COT.serial, 2, { at: now(), onoff: 1, moisture: 27.5 });
    await eventually(() => expect(received[0]?.topic).toBe(topic.outChannel(FARMER, `${COT.id}:2`)));
    const log = await farm.app.database.query(
      "select number, valve, moisture from cot_log where device_id = $1",
      [COT.id],
    );
    expect(log).toEqual([{ number: 2, valve: 1, moisture: 27.5 }]);
    await cot.endAsync();
  });

  test.each([
    ["unknown-channel", topic.channelState(VALVES.serial, 7), '{"onoff": 1}'],
    ["wrong-type", topic.channelState(VALVES.serial, 1), '{"onoff": {}}'],
    ["not-json", topic.channelState(VALVES.serial, 1), "on"],
    ["wrong-type", topic.status(VALVES.serial), "perhaps"],
    ["unknown-topic", topic.up(VALVES.serial), '{"moisture": 3}'],
  ])("[ingest] %s: a broken report on %s is set aside", async (reason, name, payload) => {
    const valves = await farm.connect(VALVES);
    await valves.publishAsync(name, payload, { qos: 1 });
    expect((await letters()).map((letter) => letter.reason)).toEqual([reason]);
    await valves.endAsync();
  });
});
