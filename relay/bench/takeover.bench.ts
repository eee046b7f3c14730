/**
 * Kill the owner of an account (`kill -9`) while readings arrive. Measure the time until sessions on the
 * other nodes see what the new owner writes. The baseline is an owner that shuts down and releases its shards
 * (LIVE-3). Then stop one for longer than its lease, and let it continue: a write by it would break the
 * sequence of the others' stream. It uses relays of the same kind over one real Redis.
 */
import { setTimeout as wait } from "node:timers/promises";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { machine, machineMs, median } from "@mulkko/testing/bench/figures";
import { startRedis } from "@mulkko/testing/engines/redis";
import { Redis } from "ioredis";
import { type ChangeListener, listenForChanges } from "./change-listener.ts";
import type { Child } from "./child.ts";
import { accountId, nextReading } from "./farm.ts";
import { BENCH } from "./options.ts";
import { Done, Listening, Name } from "./servers/messages.ts";
import { startSurroundings } from "./surroundings.ts";

const NODES = 3;
const EVERY_MS = 100;
/** ms until shards are shared out among the nodes. */
const SETTLE_MS = 8_000;
/** ms, longer than a lease. */
const HANG_MS = 9_000;
const GIVE_UP_MS = 60_000;
const SECRET = "a-secret-of-the-benchmarks-0123456789";
const KEY = sensorKey(nextReading(0, 0).sensorId);

interface Node {
  readonly child: Child;
  readonly id: string;
  readonly listener: ChangeListener;
  /** Time of its last shown reading, and that reading: ms on the machine's monotonic clock; ISO. */
  shownAt: number;
  shown: string;
}

const server = await startRedis("durable");
const redis = new Redis(server.url);
const around = await startSurroundings(1, 1);
const nodes: Node[] = [];

async function addNode(): Promise<void> {
  const env = { REDIS_URL: server.url, RELAY_SECRET: SECRET };
  const child = await around.start("./servers/relay.ts", `node-${nodes.length}`, env);
  const { port } = await child.ask({ do: "listen" }, Listening);
  const { id } = await child.ask({ do: "name" }, Name);
  const node: Omit<Node, "listener"> & { listener?: ChangeListener } = { child, id, shownAt: 0, shown: "" };
  const listener = await listenForChanges(`http://127.0.0.1:${port}`, "token-0", KEY, (at) => {
    node.shownAt = machineMs();
    node.shown = at;
  });
  nodes.push(Object.assign(node, { listener }));
}

/** Return the node that owns the account, by the lease in Redis. */
async function owner(): Promise<Node> {
  const [meta = ""] = await redis.keys(`mulkko:{s*}:a:${accountId(0)}:meta`);
  const holder = (await redis.get(`${meta.slice(0, meta.indexOf("}") + 1)}:lease`)) ?? "";
  const found = nodes.find(({ id }) => holder.startsWith(`${id}:`));
  if (!found) throw new Error("no node owns the account");
  return found;
}

/** Return the ms until every one of these nodes has shown a reading published after the given moment. */
async function untilShown(by: readonly Node[], since: { ms: number; at: string }): Promise<number> {
  const deadline = since.ms + GIVE_UP_MS;
  while (by.some(({ shown }) => shown <= since.at)) {
    if (machineMs() > deadline) throw new Error("no node took the account over");
    await wait(5);
  }
  return Math.max(...by.map(({ shownAt }) => shownAt)) - since.ms;
}

const now = () => ({ ms: machineMs(), at: new Date().toISOString() });
const gaps = (): number => nodes.reduce((sum, { listener }) => sum + listener.gaps, 0);

/** Remove the owner, and return the ms until its account continues. A new node replaces it. */
async function without(how: "killed" | "stopped"): Promise<number> {
  await wait(SETTLE_MS);
  const gone = await owner();
  nodes.splice(nodes.indexOf(gone), 1);
  const since = now();
  if (how === "killed") gone.child.signal("SIGKILL");
  const closing = how === "stopped" ? gone.child.ask({ do: "close" }, Done) : Promise.resolve();
  const ms = await untilShown(nodes, since);
  await closing;
  await gone.child.stop();
  await addNode();
  return ms;
}

let isOver = false;
async function publishOn(): Promise<void> {
  while (!isOver) {
    around.publish(0, 0);
    await wait(EVERY_MS);
  }
}

let publishing: Promise<void> | undefined;
try {
  console.log(machine());
  for (let n = 0; n < NODES; n += 1) await addNode();
  publishing = publishOn();
  const killed: number[] = [];
  const stopped: number[] = [];
  for (let round = 0; round < BENCH.takeoverRounds; round += 1) {
    killed.push(await without("killed"));
    stopped.push(await without("stopped"));
  }
  const seconds = (values: readonly number[]): string =>
    values.map((ms) => (ms / 1_000).toFixed(2)).join(", ");
  console.log(`killed:  new owner's first write seen after ${seconds(killed)} s`);
  console.log(`stopped: new owner's first write seen after ${seconds(stopped)} s`);
  console.log(
    `ratio ${(median(killed) / median(stopped)).toFixed(1)} × an owner that is stopped; aim ≤ 10 s`,
  );

  await wait(SETTLE_MS);
  const hung = await owner();
  const others = nodes.filter((node) => node !== hung);
  hung.child.signal("SIGSTOP");
  const since = now();
  const away = await untilShown(others, since);
  await wait(Math.max(0, HANG_MS - away));
  const before = others[0]?.listener.frames ?? 0;
  hung.child.signal("SIGCONT");
  await untilShown(nodes, now());
  await wait(HANG_MS);
  const after = (others[0]?.listener.frames ?? 0) - before;
  console.log(
    `hung for ${(HANG_MS / 1_000).toFixed(0)} s: another wrote after ${seconds([away])} s; ${after} frames since it went on`,
  );
  console.log(`frames that do not follow the one before, on all nodes: ${gaps()}; aim 0`);
  if (gaps() > 0) process.exitCode = 1;
  console.log(machine());
} finally {
  isOver = true;
  await publishing;
  for (const { listener, child } of nodes) {
    listener.close();
    await child.stop();
  }
  await around.close();
  redis.disconnect();
  await server.stop();
}
