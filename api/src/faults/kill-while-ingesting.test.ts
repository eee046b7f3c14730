import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { EngineProcess } from "@mulkko/e2e/engines/engine-process";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { createFarmProcess } from "../testing/farm-process.ts";
import { openPlace, openPlaces } from "../testing/places.ts";
import { FOREIGN, SOIL } from "../testing/test-farm.ts";

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
