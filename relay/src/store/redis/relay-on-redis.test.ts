import { relayPath } from "@mulkko/shared/rest/routes";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPrefix } from "../../../testing/redis-harness.ts";
import { startRelayHarness } from "../../../testing/relay-harness.ts";
import { until } from "../../../testing/until.ts";
import { NewerSchemaError } from "../errors.ts";

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

test("[NODE-3] a relay on Redis is ready, reports a frozen Redis, and is ready again after it", async () => {
  const harness = await startRelayHarness(undefined, { REDIS_URL: redis.url, REDIS_PREFIX: newPrefix() });
  const store = async (): Promise<unknown> => {
    const answer = await fetch(harness.origin + relayPath.ready);
    const body: unknown = await answer.json();
    return { status: answer.status, body };
  };
  const becomes = (expected: object): Promise<void> =>
    until(async () => {
      expect(await store()).toMatchObject({ body: { checks: { store: expected } } });
      return true;
    });
  try {
    await becomes({ ok: true, state: "redis", missing: [expect.stringContaining("append-only")] });
    await redis.freeze();
    await becomes({ ok: false, state: "down" });
    expect(await store()).toMatchObject({ status: 503 });
    await redis.thaw();
    await becomes({ ok: true, state: "redis" });
    await harness.restart();
    await becomes({ ok: true, state: "redis" });
  } finally {
    await redis.thaw();
    await harness.close();
  }
});

test("[NODE-6] a relay does not start on Redis data of a newer version", async () => {
  const prefix = newPrefix();
  const admin = new Redis(redis.url);
  await admin.set(`${prefix}schema`, 99);
  admin.disconnect();
  await expect(startRelayHarness(undefined, { REDIS_URL: redis.url, REDIS_PREFIX: prefix })).rejects.toThrow(
    NewerSchemaError,
  );
});

test("[NODE-3] a relay that cannot reach Redis says so once, with the reason", async () => {
  const lines: string[] = [];
  const harness = await startRelayHarness(
    undefined,
    { REDIS_URL: "redis://127.0.0.1:1", LOG_LEVEL: "warn" },
    undefined,
    { logStream: { write: (line) => void lines.push(line) } },
  );
  try {
    await until(() => lines.length > 0);
    const outages = lines.filter((line) => line.includes('"event":"redis-unavailable"'));
    expect(outages).toEqual([expect.stringContaining('"reason":"connect ECONNREFUSED 127.0.0.1:1"')]);
    expect(lines.filter((line) => line.includes("background-task-failed"))).toEqual([]);
  } finally {
    await harness.close();
  }
});
