/**
 * A thousand accounts that are watched without a user: calls of the farm API, CPU and memory of the relay,
 * with the API's messages and by polling alone. The baseline is the same relay in front of the same API with
 * the same messages, without a watched account. `pnpm bench watching` (about 15 minutes).
 */
import { setTimeout as wait } from "node:timers/promises";
import { topic } from "@mulkko/shared/mqtt/topics";
import { buildController } from "@mulkko/shared/testing/builders";
import { machine } from "@mulkko/testing/bench/figures";
import mqtt from "mqtt";
import { accountId, apiTime } from "./farm.ts";
import { BENCH } from "./options.ts";
import { Cpu, Listening, Memory } from "./servers/messages.ts";
import { type Surroundings, startSurroundings } from "./surroundings.ts";

const KEY = "a-key-of-the-benchmarks-0123456789";
const CHANNELS = 4;
/** ms between two messages of a controller, and of a sensor. */
const CONTROLLER_EVERY_MS = 60_000;
const SENSOR_EVERY_MS = 600_000;
const SLICE_MS = 100;
/** Calls a second below which the start is over, measured over this time. */
const QUIET_MS = 10_000;
const BEGIN_WITHIN_MS = 900_000;
const MB = 1024 * 1024;

interface Case {
  readonly name: string;
  /** s until each account has been read, and until all valves have. */
  readonly beganAfter: number;
  readonly quietAfter: number;
  /** Most calls in one second of the start. */
  readonly peak: number;
  readonly callsPerSecond: number;
  readonly cpuPercent: number;
  readonly memory: { readonly rss: number; readonly heap: number };
}

/** Give each account a controller, whose channels are closed. */
function addControllers({ api }: Surroundings): void {
  for (const [index, one] of api.accounts.entries()) {
    const serial = 5_000_000 + index;
    const channels = Array.from({ length: CHANNELS }, (_, at) => ({
      id: index * CHANNELS + at + 1,
      channelNumber: at + 1,
      sensors: [],
    }));
    one.controllers = [buildController({ id: `controller-${index}`, serial, channels })];
    for (const { id } of channels) {
      one.states.set(`${serial}/${id}`, { serial, onoff: 2, createdDate: apiTime(Date.now()) });
      one.moistures.set(String(id), 31);
    }
  }
}

/** Publish the messages of all controllers and sensors at their pace, until stopped. */
async function publishAll(around: Surroundings): Promise<() => Promise<void>> {
  const client = await mqtt.connectAsync(around.broker.url);
  const accounts = BENCH.watchAccounts;
  const began = performance.now();
  let [controllers, sensors, stopped] = [0, 0, false];
  const say = (index: number): void => {
    const account = index % accounts;
    const id = account * CHANNELS + (Math.floor(index / accounts) % CHANNELS) + 1;
    const at = new Date().toISOString();
    const state = { serial: 5_000_000 + account, onoff: 2, rssi: -70, at, heardAt: at, arrival: index + 1 };
    client.publish(topic.outChannel(accountId(account), id), JSON.stringify(state));
  };
  const running = (async () => {
    while (!stopped) {
      const passed = performance.now() - began;
      for (; controllers < (passed / CONTROLLER_EVERY_MS) * accounts; controllers += 1) say(controllers);
      for (; sensors < (passed / SENSOR_EVERY_MS) * accounts * BENCH.watchSensors; sensors += 1) {
        around.publish(sensors % accounts, Math.floor(sensors / accounts) % BENCH.watchSensors);
      }
      await wait(SLICE_MS);
    }
  })();
  return async () => {
    stopped = true;
    await running;
    await client.endAsync(true);
  };
}

/** Wait until all accounts are read and the first reading of their valves is over. */
async function begin({ api }: Surroundings, isWatched: boolean) {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const read = new Set<string | undefined>();
  let [next, peak, beganAfter] = [0, 0, 0];
  const counts: number[] = [];
  for (;;) {
    await wait(1_000);
    const fresh = api.calls.slice(next);
    next = api.calls.length;
    for (const { path, token } of fresh) if (path.startsWith("/api/v1/sensor/list")) read.add(token);
    counts.push(fresh.length);
    peak = Math.max(peak, fresh.length);
    if (beganAfter === 0 && read.size >= BENCH.watchAccounts) beganAfter = seconds();
    const lately = counts.slice(-QUIET_MS / 1_000).reduce((sum, count) => sum + count, 0);
    const isQuiet = counts.length * 1_000 > QUIET_MS && lately * 1_000 < QUIET_MS * 20;
    if ((beganAfter > 0 || !isWatched) && isQuiet) return { beganAfter, quietAfter: seconds(), peak };
    if (seconds() * 1_000 > BEGIN_WITHIN_MS) throw new Error(`only ${read.size} accounts were read`);
  }
}

async function measure(name: string, isWatched: boolean, isReceived: boolean): Promise<Case> {
  const around = await startSurroundings(BENCH.watchAccounts, BENCH.watchSensors);
  addControllers(around);
  around.api.relayKey = KEY;
  around.api.extensions = ["relay-session", "mqtt-out", ...(isWatched ? ["relay-accounts" as const] : [])];
  const stopMessages = await publishAll(around);
  const env = { RELAY_KEY: KEY, RELAY_SECRET: "a-secret-of-the-benchmarks-0123456789" };
  const child = await around.start("./servers/relay.ts", "watching", {
    ...env,
    ...(!isReceived && { RELAY_MQTT_URL: "off" }),
  });
  try {
    await child.ask({ do: "listen" }, Listening);
    const started = await begin(around, isWatched);
    const [calls, cpu] = [around.api.calls.length, await child.ask({ do: "cpu" }, Cpu)];
    await wait(BENCH.watchSeconds * 1_000);
    const cpuMs = (await child.ask({ do: "cpu" }, Cpu)).ms - cpu.ms;
    return {
      name,
      ...started,
      callsPerSecond: (around.api.calls.length - calls) / BENCH.watchSeconds,
      cpuPercent: cpuMs / BENCH.watchSeconds / 10,
      memory: await child.ask({ do: "memory" }, Memory),
    };
  } finally {
    await child.stop();
    await stopMessages();
    await around.close();
  }
}

function print(one: Case): void {
  const { name, beganAfter, quietAfter, peak, callsPerSecond, cpuPercent, memory } = one;
  console.log(
    `${name.padEnd(20)} ${callsPerSecond.toFixed(2).padStart(6)} calls/s  CPU ${cpuPercent.toFixed(2)} % of a core  ` +
      `memory ${(memory.rss / MB).toFixed(0)} MB, heap ${(memory.heap / MB).toFixed(1)} MB; ` +
      `start: all read after ${beganAfter.toFixed(0)} s, quiet after ${quietAfter.toFixed(0)} s, at most ${peak} calls in a second`,
  );
}

console.log(machine());
const { watchAccounts, watchSensors } = BENCH;
console.log(`${watchAccounts} accounts of ${watchSensors} sensors and a controller of ${CHANNELS} channels`);
for (const isReceived of [true, false]) {
  const how = isReceived ? "received" : "polled";
  const none = await measure(`${how}, none watched`, false, isReceived);
  print(none);
  const all = await measure(`${how}, all watched`, true, isReceived);
  print(all);
  const heapEach = (all.memory.heap - none.memory.heap) / watchAccounts / 1024;
  console.log(
    `${"".padEnd(20)} ${((all.callsPerSecond - none.callsPerSecond) / watchAccounts).toFixed(4)} calls/s an account; ` +
      `CPU ${(all.cpuPercent / none.cpuPercent).toFixed(2)} ×, memory ${(all.memory.rss / none.memory.rss).toFixed(2)} × none watched; ` +
      `heap ${heapEach.toFixed(1)} KiB an account`,
  );
}
console.log(machine());
