/**
 * Measure the size in Redis of an account of twelve devices: `MEMORY USAGE` of each key, after readings have
 * arrived and the relay has written its steps. The account has ten soil sensors and two controllers of four
 * channels each. The baseline is the same values as one JSON text under one key.
 */
import { setTimeout as wait } from "node:timers/promises";
import { buildController } from "@mulkko/shared/testing/builders";
import { machine } from "@mulkko/testing/bench/figures";
import { startRedis } from "@mulkko/testing/engines/redis";
import { Redis } from "ioredis";
import { type Competitor, startCompetitor } from "./competitor.ts";
import { accountId } from "./farm.ts";

const SENSORS = 10;
const CONTROLLERS = 2;
const CHANNELS = 4;
const ROUNDS = 20;
const SETTLE_MS = 3_000;
/** A flush, and a margin. */
const ROUND_MS = 150;
const AIM_BYTES = 15_000;

async function addControllers({ api }: Competitor): Promise<void> {
  const account = api?.accounts[0];
  for (let n = 1; account && n <= CONTROLLERS; n += 1) {
    const serial = 200_000 + n;
    const channels = Array.from({ length: CHANNELS }, (_, index) => ({
      id: n * 10 + index,
      channelNumber: index + 1,
      sensors: [],
    }));
    account.controllers.push(
      buildController({ id: `20000000-0000-4000-8000-${String(n).padStart(12, "0")}`, serial, channels }),
    );
    for (const { id } of channels) {
      account.states.set(`${serial}/${id}`, { onoff: 2, rssi: -70, fwversion: "1.0", createdDate: null });
    }
  }
}

interface KeyUse {
  readonly key: string;
  readonly bytes: number;
  readonly encoding: string;
}

async function keysOf(redis: Redis): Promise<KeyUse[]> {
  const keys = await redis.keys(`*${accountId(0)}*`);
  const used = await Promise.all(
    keys.map(async (key) => ({
      key,
      bytes: Number(await redis.call("MEMORY", "USAGE", key, "SAMPLES", "0")),
      encoding: String(await redis.object("ENCODING", key)),
    })),
  );
  return used.toSorted((a, b) => b.bytes - a.bytes);
}

/** Store the values of `devices` as one JSON text. */
async function asOneText(redis: Redis, keys: readonly KeyUse[]): Promise<{ bytes: number; values: number }> {
  const name = keys.find(({ key }) => key.endsWith(":v"))?.key;
  if (name === undefined) throw new Error(`no values among ${keys.map(({ key }) => key).join(" ")}`);
  const values = await redis.hgetall(name);
  const whole = Object.entries(values).map(([key, text]) => [key, JSON.parse(text)]);
  await redis.set("baseline", JSON.stringify(Object.fromEntries(whole)));
  const bytes = Number(await redis.call("MEMORY", "USAGE", "baseline"));
  return { bytes, values: Object.keys(values).length };
}

console.log(machine());
const server = await startRedis("durable");
const redis = new Redis(server.url);
let competitor: Competitor | undefined;
try {
  competitor = await startCompetitor("WebSocket transport", {
    sensors: SENSORS,
    env: { REDIS_URL: server.url },
  });
  await addControllers(competitor);
  await competitor.connect(1);
  await wait(SETTLE_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let sensor = 0; sensor < SENSORS; sensor += 1) competitor.publish(0, sensor);
    await wait(ROUND_MS);
  }
  const keys = await keysOf(redis);
  for (const { key, bytes, encoding } of keys) {
    console.log(`${String(bytes).padStart(7)} B  ${encoding.padEnd(10)} ${key}`);
  }
  const sum = keys.reduce((total, { bytes }) => total + bytes, 0);
  const baseline = await asOneText(redis, keys);
  console.log(
    `${sum} B for ${SENSORS + CONTROLLERS} devices (${baseline.values} keys of the stream), ` +
      `${(sum / baseline.bytes).toFixed(2)} × the same values as one JSON text (${baseline.bytes} B); aim ≤ ${AIM_BYTES} B`,
  );
  console.log(machine());
} finally {
  await competitor?.stop();
  redis.disconnect();
  await server.stop();
}
