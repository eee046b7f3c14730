/**
 * Two hundred devices a second of ten thousand in all accounts come back online. Measure their latency
 * through the whole relay's fleet owner to an administrator at the WebSocket transport. The baseline is a
 * bare `ws` server that forwards each publication by itself; the two alternate.
 */
import { setTimeout as wait } from "node:timers/promises";
import { OutReading } from "@mulkko/shared/mqtt/out-messages";
import { parseJson } from "@mulkko/shared/schema/parse";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { machine, machineMs, median, percentile, spread } from "@mulkko/testing/bench/figures";
import { WebSocket } from "ws";
import { buildFakeAccount } from "../testing/fake-farm-api.ts";
import { listenForFleet } from "./fleet-listener.ts";
import { BENCH } from "./options.ts";
import { Cpu, Listening } from "./servers/messages.ts";
import { type Sent, type Surroundings, startSurroundings } from "./surroundings.ts";

const ADMIN = "token-admin";
/** Each device is offline when the fleet is read first. */
const SILENT_MS = 3 * 3_600_000;
/** ms after which the effects of watching the fleet are over. */
const SETTLE_MS = 5_000;
/** ms within which the last frame of a round must arrive. */
const LATE_MS = 10_000;
const SLICE_MS = 10;
const WARM_SECONDS = 4;

interface Competitor {
  readonly name: string;
  readonly around: Surroundings;
  /** Time at which each device was seen online, by its id; ms on the machine's clock. */
  readonly seen: Map<string, number>;
  readonly latencies: number[];
  readonly usPerFlip: number[];
  cpuMs(): Promise<number>;
  frames(): number;
  bytes(): number;
  stop(): Promise<void>;
}

const ofAccount = BENCH.fleetDevices / BENCH.fleetAccounts;

async function theRelay(): Promise<Competitor> {
  const around = await startSurroundings(BENCH.fleetAccounts, ofAccount, SILENT_MS);
  const account = buildAccount({ id: "00000000-0000-4000-9000-000000000000", userType: "ADMIN" });
  around.api.accounts.push(buildFakeAccount({ account, token: ADMIN }));
  around.api.extensions = ["mqtt-out", "admin-fleet"];
  const child = await around.start("./servers/relay.ts", "fleet");
  const { port } = await child.ask({ do: "listen" }, Listening);
  const seen = new Map<string, number>();
  const listener = await listenForFleet(port, ADMIN, (id, at) => {
    if (!seen.has(id)) seen.set(id, at);
  });
  console.log(`${listener.devices} devices of ${BENCH.fleetAccounts} accounts in the snapshot`);
  return {
    ...{ name: "relay", around, seen, latencies: [], usPerFlip: [] },
    cpuMs: async () => (await child.ask({ do: "cpu" }, Cpu)).ms,
    frames: () => listener.frames,
    bytes: () => listener.bytes,
    async stop() {
      listener.close();
      await child.stop();
      await around.close();
    },
  };
}

async function bareWs(): Promise<Competitor> {
  const around = await startSurroundings(BENCH.fleetAccounts, ofAccount);
  const child = await around.start("./servers/bare.ts", "bare ws");
  const { port } = await child.ask({ do: "listen" }, Listening);
  const seen = new Map<string, number>();
  let [frames, bytes] = [0, 0];
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  socket.on("message", (data) => {
    const at = machineMs();
    const text = data.toString();
    const reading = parseJson(OutReading, text);
    if (!reading.ok) throw new Error(`no reading: ${reading.path} ${reading.message}`);
    frames += 1;
    bytes += text.length;
    seen.set(String(reading.value.sensorId), at);
  });
  await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return {
    ...{ name: "bare ws", around, seen, latencies: [], usPerFlip: [] },
    cpuMs: async () => (await child.ask({ do: "cpu" }, Cpu)).ms,
    frames: () => frames,
    bytes: () => bytes,
    async stop() {
      socket.terminate();
      await child.stop();
      await around.close();
    },
  };
}

/** Bring the next devices online at a steady pace; a late slice publishes what is due by then. */
async function publish({ around }: Competitor, from: number, count: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  const startedAt = performance.now();
  while (sent.length < count) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1_000) * BENCH.fleetFlips);
    while (sent.length < due) {
      // One account after the other: consecutive readings belong to different accounts.
      const device = from + sent.length;
      const { fleetAccounts } = BENCH;
      sent.push(around.publish(device % fleetAccounts, Math.floor(device / fleetAccounts)));
    }
    await wait(SLICE_MS);
  }
  return sent;
}

async function round(one: Competitor, from: number, seconds: number, isMeasured: boolean): Promise<void> {
  const before = await one.cpuMs();
  const sent = await publish(one, from, seconds * BENCH.fleetFlips);
  const isThere = ({ sensorId }: Sent): boolean => one.seen.has(sensorId);
  for (let waited = 0; !sent.every(isThere); waited += SLICE_MS) {
    if (waited > LATE_MS) {
      throw new Error(`${one.name}: ${sent.filter((each) => !isThere(each)).length} devices never came back`);
    }
    await wait(SLICE_MS);
  }
  if (!isMeasured) return;
  one.usPerFlip.push((((await one.cpuMs()) - before) * 1_000) / sent.length);
  for (const { sensorId, sentAt } of sent)
    one.latencies.push((one.seen.get(sensorId) ?? Number.NaN) - sentAt);
}

const competitors: Competitor[] = [];
try {
  const { fleetDevices, fleetFlips, fleetSeconds, fleetRounds } = BENCH;
  if ((fleetRounds * fleetSeconds + WARM_SECONDS) * fleetFlips > fleetDevices) {
    throw new Error("there are fewer devices than are to come back");
  }
  console.log(machine());
  console.log(
    `${fleetFlips} devices/s come back, ${fleetRounds} rounds of ${fleetSeconds} s; one administrator looks`,
  );
  const relay = await theRelay();
  competitors.push(relay);
  const bare = await bareWs();
  competitors.push(bare);
  await wait(SETTLE_MS);
  for (const one of competitors) await round(one, 0, WARM_SECONDS, false);
  const begun = competitors.map((one) => ({ one, frames: one.frames(), bytes: one.bytes() }));
  for (let count = 0; count < fleetRounds; count += 1) {
    const from = (WARM_SECONDS + count * fleetSeconds) * fleetFlips;
    for (const one of count % 2 === 0 ? competitors : competitors.toReversed()) {
      await round(one, from, fleetSeconds, true);
    }
    console.log(`round ${count + 1} of ${fleetRounds}`);
  }
  for (const { one, frames, bytes } of begun) {
    const made = one.frames() - frames;
    console.log(
      `${one.name.padEnd(8)} publication → frame  ${spread(one.latencies)}  CPU ${median(one.usPerFlip).toFixed(0)} µs a device; ` +
        `${(one.latencies.length / made).toFixed(1)} devices a frame of ${Math.round((one.bytes() - bytes) / made)} B`,
    );
  }
  const times = (share: number): string =>
    (percentile(relay.latencies, share) / percentile(bare.latencies, share)).toFixed(1);
  const cpu = (median(relay.usPerFlip) / median(bare.usPerFlip)).toFixed(2);
  console.log(
    `ratio    p50 ${times(0.5)}  p99 ${times(0.99)}  CPU ${cpu} × bare ws; aim: each within a second, p99 ≤ 200 ms`,
  );
  console.log(machine());
} finally {
  await Promise.all(competitors.map((one) => one.stop()));
}
