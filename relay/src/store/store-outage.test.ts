import { parseJson } from "@mulkko/shared/schema/parse";
import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { startRedis } from "@mulkko/testing/engines/redis";
import Type from "typebox";
import { expect, test } from "vitest";
import { buildFakeAccount } from "../../testing/fake-farm-api.ts";
import { connectWebSocket } from "../../testing/live-client.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { startRelayHarness } from "../../testing/relay-harness.ts";
import { until } from "../../testing/until.ts";

/** The levels of pino: lines at `warn` and above are for operators. */
const Line = Type.Object({ level: Type.Number(), msg: Type.String(), store: Type.Optional(Type.String()) });
const WARN = 40;
/** Message of the broken connection, with the error of the Redis client. */
const REASON = "Redis unavailable";
/**
 * ms after which a frozen Redis is certainly detected: by the socket's timeout, or by the preparation of the
 * next connection.
 */
const FROZEN_MS = 12_000;

test("[NODE-3] an outage of the store is one warning at its start and one line at its end, with any number of accounts", async () => {
  const redis = await startRedis();
  const lines: string[] = [];
  const account = buildFakeAccount({
    sensors: [buildSensor()],
    controllers: [buildController()],
    states: new Map([["200001/11", { onoff: 2 }]]),
  });
  const harness = await startRelayHarness(
    account,
    {
      REDIS_URL: redis.url,
      REDIS_PREFIX: newPrefix(),
      LOG_LEVEL: "info",
      POLL_CHANNEL_MS: "500",
      POLL_SENSOR_MS: "500",
    },
    undefined,
    { logStream: { write: (line) => void lines.push(line) } },
  );
  const said = () =>
    lines.flatMap((line) => {
      const parsed = parseJson(Line, line);
      return parsed.ok ? [parsed.value] : [];
    });
  const troubles = async (): Promise<number> => {
    const text = await (await fetch(`${harness.origin}/metrics`)).text();
    return Number(/owner_troubles_total\{trouble="unclaimed"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  try {
    const client = await connectWebSocket(harness.origin);
    client.say({ t: "hello", protocol: 1, token: "token-farmer" });
    client.say({ t: "subscribe", stream: "devices" });
    await client.next("snapshot");
    const before = lines.length;
    await redis.freeze();
    const frozenAt = performance.now();
    try {
      await until(() => !harness.app.services.link.state.store.includes("redis"), 20_000);
      await expect.poll(troubles, { timeout: 20_000 }).toBeGreaterThan(5);
      await until(() => performance.now() - frozenAt > FROZEN_MS, 2 * FROZEN_MS);
    } finally {
      await redis.thaw();
    }
    await until(() => harness.app.services.link.state.store === "redis", 20_000);
    const outage = said().slice(before);
    const warnings = outage.filter(({ level }) => level >= WARN).map(({ msg }) => msg);
    expect(warnings.filter((msg) => msg !== REASON)).toEqual([
      "store unavailable: polling and opening of valves stopped",
    ]);
    expect(warnings.filter((msg) => msg === REASON).length).toBeLessThanOrEqual(1);
    expect(outage.filter(({ store, level }) => store && level < WARN)).toMatchObject([
      { msg: "store available" },
    ]);
    client.leave();
  } finally {
    await harness.close();
    await redis.stop();
  }
}, 60_000);
