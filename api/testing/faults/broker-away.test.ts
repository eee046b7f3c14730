import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { topic } from "@mulkko/shared/mqtt/topics";
import { type RunningMosquitto, startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openPlaces } from "../places.ts";
import { SOIL, startTestFarm, type TestFarm } from "../test-farm.ts";
import { type FaultyLine, openFaultyLine } from "./faulty-line.ts";

const FIRST = Date.UTC(2026, 8, 1);
const COUNT = 200;
const WAIT = { timeout: 40_000, interval: 100 };
/** Time for which the database is unavailable, ms. */
const AWAY_MS = 3_000;
/** Most connections in that time: each ends with the first refused message. */
const MOST_TRIES = 4;
vi.setConfig({ testTimeout: 90_000 });

const places = await openPlaces();
const place = await places.create("postgres");
let kept: string;
let broker: RunningMosquitto;
let line: FaultyLine;
let farm: TestFarm;
let device: MqttClient;
let sent = 0;

const startBroker = (port?: number): Promise<RunningMosquitto> =>
  startMosquitto({
    ...(port === undefined ? {} : { port }),
    config: ["persistence true", `persistence_location ${kept}/`],
  });
async function startFarm(empty: boolean): Promise<TestFarm> {
  const url = new URL(place.url ?? "");
  url.port = String(line.port);
  const started = await startTestFarm({ DATABASE_URL: url.href, MQTT_URL: broker.url }, { empty });
  await vi.waitFor(() => expect(started.app.broker.isUp()).toBe(true), WAIT);
  return started;
}
beforeAll(async () => {
  kept = await mkdtemp(join(tmpdir(), "mulkko-kept-"));
  broker = await startBroker();
  const { hostname, port } = new URL(place.url ?? "");
  line = await openFaultyLine({ host: hostname, port: Number(port) });
  farm = await startFarm(false);
  device = await connectAsync(broker.url, { reconnectPeriod: 200, clientId: "device", clean: false });
  device.on("error", () => undefined);
});
afterAll(async () => {
  await device.endAsync(true);
  await farm.close();
  await line.close();
  await broker.stop();
  await places.close();
  await rm(kept, { recursive: true, force: true });
});

const stored = async (): Promise<number | undefined> =>
  (await farm.app.database.query<{ count: number }>("select count(*) as count from reading"))[0]?.count;
/** Publish this many readings; resolve when the broker has them all. */
const publish = (): Promise<unknown> =>
  Promise.all(
    Array.from({ length: COUNT }, () => {
      const body = { at: new Date(FIRST + sent * 60_000).toISOString(), moisture: 30 };
      sent += 1;
      return device.publishAsync(topic.up(SOIL.serial), JSON.stringify(body), { qos: 1 });
    }),
  );
const expectAllStored = (): Promise<void> => vi.waitFor(async () => expect(await stored()).toBe(sent), WAIT);

test("[broker] receives readings again after a broker outage, and loses no acknowledged reading", async () => {
  await publish();
  await expectAllStored();
  // The broker has them, but the farm API could not store them yet.
  line.become("cut");
  await publish();
  await broker.stop();
  await vi.waitFor(() => expect(farm.app.broker.isUp()).toBe(false), WAIT);
  broker = await startBroker(broker.port);
  line.become("whole");
  await vi.waitFor(() => expect(farm.app.broker.isUp()).toBe(true), WAIT);
  await expectAllStored();
  await publish();
  await expectAllStored();
});

test("[broker] during a database outage the broker keeps the messages, and the farm API retries at intervals", async () => {
  const before = farm.lines.length;
  line.become("cut");
  // Without its own time: a repetition must not count as a duplicate of a stored one.
  sent += 1;
  await device.publishAsync(topic.up(SOIL.serial), '{"moisture": 31}', { qos: 1 });
  await publish();
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  const tries = farm.lines.slice(before).filter((text) => text.includes("refused message")).length;
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThan(MOST_TRIES);
  line.become("whole");
  await expectAllStored();
});

test("[broker] the broker keeps messages during an outage of the farm API, which stores them at its start", async () => {
  await farm.close();
  await publish();
  // Even a restarted broker remembers the subscription.
  await broker.stop();
  broker = await startBroker(broker.port);
  await publish();
  farm = await startFarm(true);
  await expectAllStored();
});
