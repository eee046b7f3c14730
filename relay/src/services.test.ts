import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@mulkko/shared/rules/clock";
import { startRedis } from "@mulkko/testing/engines/redis";
import { expect, test } from "vitest";
import { startFakeFarmApi } from "../testing/fake-farm-api.ts";
import { until } from "../testing/until.ts";
import { build } from "./app.ts";
import { readConfig } from "./config.ts";

const AHEAD_MS = 60_000;
/** Tolerance for the whole seconds of a `Date` header, and its transit. */
const NEAR_MS = 10_000;

test("[RUN-4] a relay with Redis uses its time, and does not blame its own wrong clock on the farm API", async () => {
  const [redis, api] = await Promise.all([startRedis(), startFakeFarmApi([])]);
  const folder = await mkdtemp(join(tmpdir(), "mulkko-services-"));
  const config = readConfig({
    API_URL: api.origin,
    REDIS_URL: redis.url,
    RELAY_MQTT_URL: "off",
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
  });
  const wrong = { now: () => Date.now() + AHEAD_MS, monotonic: () => systemClock.monotonic() };
  const { server, services } = await build(config, { clock: wrong });
  try {
    await until(() => services.link.state.store === "redis");
    expect(Math.abs(services.clock.now() - Date.now())).toBeLessThan(NEAR_MS);
    // Answers from before the first Redis time still count for a while.
    await until(async () => {
      await services.capabilities.ask();
      return Math.abs(services.upstreamOffsetMs()) < NEAR_MS;
    });
  } finally {
    await server.close();
    await Promise.all([redis.stop(), api.close()]);
    await rm(folder, { recursive: true, force: true });
  }
});
