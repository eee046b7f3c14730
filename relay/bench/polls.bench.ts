/**
 * Count the farm API's calls with up to ten thousand viewers and four relays: calls of each poll unit per
 * interval. The baseline is one viewer of one account at one relay. It uses real relays over one Redis and
 * real sessions at the WebSocket transport. The relay's own settings shorten the intervals, and its MQTT
 * source is off, because it would stretch them.
 */
import { setTimeout as wait } from "node:timers/promises";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { machine, machineMs } from "@mulkko/testing/bench/figures";
import { startRedis } from "@mulkko/testing/engines/redis";
import type { FakeFarmApi } from "../testing/fake-farm-api.ts";
import { type Child, startChild } from "./child.ts";
import { Connected } from "./clients/messages.ts";
import { BENCH } from "./options.ts";
import { Listening } from "./servers/messages.ts";
import { startSurroundings } from "./surroundings.ts";

/** The relay accepts 1,000 sessions of an account. */
const PER_ACCOUNT = 1_000;
const CONNECT_AT_ONCE = 50;
const LIST_MS = 4_000;
const SENSOR_MS = 2_000;
/** ms until shards are shared out, and all units have been requested once. */
const SETTLE_MS = 10_000;
/** Resolution of the calls' times, ms. */
const LOOK_MS = 10;
const UNITS = [
  { name: "sensor/list", path: /sensor\/list/, everyMs: LIST_MS },
  { name: "controller", path: /v1\/controller$/, everyMs: LIST_MS },
  { name: "latest/mqtt", path: /latest\/mqtt$/, everyMs: SENSOR_MS },
] as const;

interface Case {
  readonly viewers: number;
  readonly nodes: number;
  /** For each unit: polls in one interval, on average and of the account with the most requests. */
  readonly perInterval: readonly { readonly mean: number; readonly most: number }[];
  readonly callsPerSecond: number;
}

/** Record every call of the window, as `path token`, with its time. */
async function watchCalls(api: FakeFarmApi, ms: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  const end = machineMs() + ms;
  for (let next = api.calls.length; machineMs() < end; await wait(LOOK_MS)) {
    for (; next < api.calls.length; next += 1) {
      const call = api.calls[next];
      const name = `${call?.path} ${call?.token}`;
      times.set(name, [...(times.get(name) ?? []), machineMs()]);
    }
  }
  return times;
}

function perInterval(calls: ReadonlyMap<string, number[]>, { path, everyMs }: (typeof UNITS)[number]) {
  const rates = [...calls].flatMap(([name, times]) => {
    const [first, last] = [times[0], times.at(-1)];
    if (!path.test(name.split(" ", 1)[0] ?? "") || first === undefined || last === undefined) return [];
    return times.length < 2 ? [] : [((times.length - 1) * everyMs) / (last - first)];
  });
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return { mean, most: Math.max(...rates) };
}

async function measure(viewers: number, nodes: number): Promise<Case> {
  const accounts = Math.ceil(viewers / PER_ACCOUNT);
  const server = await startRedis("durable");
  const around = await startSurroundings(accounts, 1);
  const children: Child[] = [];
  const { api } = around;
  for (const { sensors, latestMqtt } of api.accounts) {
    for (const { id, latestLog } of sensors) latestMqtt.set(String(id), latestLog ?? buildLogEntry());
  }
  const env = {
    REDIS_URL: server.url,
    RELAY_MQTT_URL: "off",
    RELAY_SECRET: "a-secret-of-the-benchmarks-0123456789",
    POLL_LIST_MS: String(LIST_MS),
    POLL_SENSOR_MS: String(SENSOR_MS),
    UPSTREAM_RPS: "10000",
  };
  try {
    const ports: number[] = [];
    for (let node = 0; node < nodes; node += 1) {
      const child = await around.start("./servers/relay.ts", `node-${node}`, env);
      children.unshift(child);
      ports.push((await child.ask({ do: "listen" }, Listening)).port);
    }
    await wait(SETTLE_MS);
    for (const port of ports) {
      const loadGenerator = startChild("./clients/load-generator.ts", ["WebSocket transport"]);
      children.unshift(loadGenerator);
      const sessions = viewers / nodes;
      await loadGenerator.ask(
        { do: "connect", port, sessions, accounts, atOnce: CONNECT_AT_ONCE },
        Connected,
      );
    }
    await wait(SETTLE_MS);
    const ms = BENCH.pollSeconds * 1_000;
    const calls = await watchCalls(api, ms);
    const count = [...calls.values()].reduce((sum, times) => sum + times.length, 0);
    return {
      viewers,
      nodes,
      perInterval: UNITS.map((unit) => perInterval(calls, unit)),
      callsPerSecond: count / BENCH.pollSeconds,
    };
  } finally {
    for (const child of children) await child.stop();
    await around.close();
    await server.stop();
  }
}

console.log(machine());
const cases: Case[] = [];
for (const [viewers, nodes] of [
  [1, 1],
  [1_000, 1],
  [BENCH.pollViewers, 4],
] as const) {
  const found = await measure(viewers, nodes);
  cases.push(found);
  const units = UNITS.map(({ name }, index) => {
    const { mean = Number.NaN, most = Number.NaN } = found.perInterval[index] ?? {};
    return `${name} ${mean.toFixed(2)} (most ${most.toFixed(2)})`;
  });
  const accounts = Math.ceil(viewers / PER_ACCOUNT);
  console.log(
    `${viewers} viewers of ${accounts} accounts, ${nodes} nodes: polls per interval ${units.join(", ")}; ` +
      `${(found.callsPerSecond / accounts).toFixed(2)} calls/s an account`,
  );
}
const [one, , many] = cases;
for (const [index, { name }] of UNITS.entries()) {
  const ratio =
    (many?.perInterval[index]?.mean ?? Number.NaN) / (one?.perInterval[index]?.mean ?? Number.NaN);
  console.log(`${name.padEnd(12)} ${ratio.toFixed(2)} × one viewer at one node; aim 1.00`);
}
console.log(machine());
