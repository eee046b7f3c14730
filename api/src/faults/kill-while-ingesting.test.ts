import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { openPlace, openPlaces } from "../testing/places.ts";
import { FOREIGN, SOIL } from "../testing/test-farm.ts";
import { createFarmProcess, type FarmProcess } from "./farm-process.ts";

const PUBLISHER = fileURLToPath(new URL("./publisher.ts", import.meta.url));
/** Readings of each device; old ones, which are counted into their hours as they are stored. */
const COUNT = 600;
const FIRST = Date.UTC(2026, 8, 28);
const WAIT = { timeout: 60_000, interval: 20 };
vi.setConfig({ testTimeout: 150_000 });

const places = await openPlaces();
let farm: FarmProcess | undefined;
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  await farm?.kill();
});
afterAll(() => places.close());

/** A device at work: how many of its readings were acknowledged, and with what its process ended. */
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

test.each(["pglite", "postgres"] as const)(
  "[ingest] on %s a farm API that is killed twice in the middle of it has every acknowledged reading once, and those that came again once",
  async (kind) => {
    const place = await places.create(kind);
    farm = await createFarmProcess(place);
    const { mqttUrl } = farm;
    await farm.start();
    const devices = [SOIL, FOREIGN].map((device) => publish(mqttUrl, device));
    const acknowledged = (): number => devices.reduce((sum, one) => sum + one.acknowledged, 0);
    for (const part of [0.2, 0.6]) {
      await vi.waitFor(() => expect(acknowledged()).toBeGreaterThan(part * COUNT * devices.length), WAIT);
      await farm.kill();
      expect(acknowledged()).toBeLessThan(COUNT * devices.length);
      await farm.start();
    }
    await vi.waitFor(() => expect(devices.map(({ code }) => code)).toEqual([0, 0]), WAIT);
    expect(acknowledged()).toBe(COUNT * devices.length);
    await farm.stop();

    const database = await openPlace(place);
    const rows = await database.query<{ count: number; times: number; sum: number }>(
      `select count(*) as count, count(distinct at) as times, sum(moisture) as sum from reading
       group by sensor_id order by sensor_id`,
    );
    const whole = { count: COUNT, times: COUNT, sum: (COUNT / 100) * 4_950 };
    expect(rows).toEqual([whole, whole]);
    // What was stored and sent again is not counted again.
    const hours = "select sum(rows) as count from reading_hour group by sensor_id";
    expect((await database.query<{ count: unknown }>(hours)).map(({ count }) => Number(count))).toEqual([
      COUNT,
      COUNT,
    ]);
    await database.close();
  },
);
