import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { topic } from "@mulkko/shared/mqtt/topics";
import type { EngineProcess } from "@mulkko/testing/engines/engine-process";
import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { connectAsync } from "mqtt";
import { afterAll, afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { createFarmProcess } from "../farm-process.ts";
import { openPlace, openPlaces } from "../places.ts";
import { FOREIGN, SOIL } from "../test-farm.ts";

const PUBLISHER = fileURLToPath(new URL("./publisher.ts", import.meta.url));
/** Readings of each device; old ones, which are counted into their hours as they are stored. */
const COUNT = 1_000;
const FIRST = Date.UTC(2026, 8, 28);
const WAIT = { timeout: 60_000, interval: 20 };
vi.setConfig({ testTimeout: 240_000 });

const places = await openPlaces();
let running: EngineProcess | undefined;
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  await running?.stop();
});
afterAll(() => places.close());

/** Start a device process. Report the acknowledged readings and its exit. */
function publish(url: string, device: typeof SOIL) {
  const args = [PUBLISHER, url, String(device.serial), device.key, String(COUNT), String(FIRST)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  const progress = { acknowledged: 0, code: null as number | null };
  child.stdout.on("data", (dots: Buffer) => {
    progress.acknowledged += dots.length;
  });
  child.once("exit", (code) => {
    progress.code = code ?? -1;
  });
  return progress;
}

/** Expect each reading to be stored once and counted once. */
async function expectAllOnce(database: Database): Promise<void> {
  const rows = await database.query<{ count: number; times: number; sum: number }>(
    `select count(*) as count, count(distinct at) as times, sum(moisture) as sum from reading
     group by sensor_id order by sensor_id`,
  );
  const whole = { count: COUNT, times: COUNT, sum: (COUNT / 100) * 4_950 };
  expect(rows).toEqual([whole, whole]);
  // A stored reading that is sent again is not counted again.
  const hours = "select sum(rows) as count from reading_hour group by sensor_id";
  expect((await database.query<{ count: unknown }>(hours)).map(({ count }) => Number(count))).toEqual([
    COUNT,
    COUNT,
  ]);
}

test.each(["pglite", "postgres"] as const)(
  "[ingest] on %s a farm API that is killed twice in the middle of it has every acknowledged reading once, and those that came again once",
  async (kind) => {
    const place = await places.create(kind);
    const farm = await createFarmProcess(place);
    running = await farm.start("SIGKILL");
    const devices = [SOIL, FOREIGN].map((device) => publish(farm.mqttUrl, device));
    const acknowledged = (): number => devices.reduce((sum, one) => sum + one.acknowledged, 0);
    for (const [part, end] of [
      [0.2, "SIGKILL"],
      [0.5, "SIGTERM"],
    ] as const) {
      await vi.waitFor(() => expect(acknowledged()).toBeGreaterThan(part * COUNT * devices.length), WAIT);
      await running.stop();
      expect(acknowledged()).toBeLessThan(COUNT * devices.length);
      running = await farm.start(end);
    }
    await vi.waitFor(() => expect(devices.map(({ code }) => code)).toEqual([0, 0]), WAIT);
    expect(acknowledged()).toBe(COUNT * devices.length);
    await running.stop();
    const database = await openPlace(place);
    await expectAllOnce(database);
    await database.close();
  },
);

test("[ingest] with an external broker an API killed twice during ingest stores every reading once", async () => {
  const mosquitto = await startMosquitto({ config: ["max_queued_messages 1000000"] });
  onTestFinished(() => mosquitto.stop());
  const place = await places.create("postgres");
  const farm = await createFarmProcess(place, mosquitto.url);
  const database = await openPlace(place);
  onTestFinished(() => database.close());
  const stored = async (): Promise<number> =>
    (await database.query<{ count: number }>("select count(*) as count from reading"))[0]?.count ?? 0;

  running = await farm.start("SIGKILL");
  // From its first subscription on, the broker keeps every message for it. The device sends the same once
  // more.
  const world = await connectAsync(mosquitto.url);
  onTestFinished(() => world.endAsync(true));
  const first = JSON.stringify({ at: new Date(FIRST).toISOString(), moisture: 1 });
  await vi.waitFor(async () => {
    await world.publishAsync(topic.up(SOIL.serial), first, { qos: 1 });
    expect(await stored()).toBe(1);
  }, WAIT);

  // Killed after taking all readings of one device and before storing any, as the table is locked.
  const taken = Promise.withResolvers<void>();
  const held = database.transaction(async (tx) => {
    await tx.query("lock table reading in exclusive mode");
    await taken.promise;
  });
  const soil = publish(farm.mqttUrl, SOIL);
  await vi.waitFor(() => expect(soil.code).toBe(0), WAIT);
  await running.stop();
  taken.resolve();
  await held;
  expect(await stored()).toBeLessThan(COUNT);

  // Killed again while storing these and the other device's.
  running = await farm.start("SIGKILL");
  const foreign = publish(farm.mqttUrl, FOREIGN);
  await vi.waitFor(async () => expect(await stored()).toBeGreaterThan(0.2 * COUNT), WAIT);
  await running.stop();
  running = await farm.start("SIGKILL");
  await vi.waitFor(() => expect(foreign.code).toBe(0), WAIT);
  await vi.waitFor(async () => expect(await stored()).toBe(2 * COUNT), WAIT);
  await expectAllOnce(database);
});
