import { Redis } from "ioredis";

/** One script that wrote to an account under a lease, in the order of Redis. */
export interface FencedWrite {
  /** Such as `{s17}`. */
  readonly shard: string;
  readonly node: string;
  readonly fence: number;
  /** Time of Redis, ms UTC. */
  readonly at: number;
}

/** Recorder of the commands of Redis (`MONITOR`), with the writer and the fence. */
export interface FenceWatch {
  readonly writes: readonly FencedWrite[];
  /** Scripts of a node that had lost its lease: Redis compared, and wrote nothing. */
  readonly refused: readonly FencedWrite[];
  /** Time of Redis, ms UTC. */
  now(): Promise<number>;
  close(): void;
}

const WRITES = new Set([
  "hset",
  "hdel",
  "zadd",
  "zrem",
  "rpush",
  "ltrim",
  "lpop",
  "del",
  "publish",
  "set",
  "hsetnx",
]);

/**
 * Return the write of a script under the fence. It names the lease and the account's `meta` first, then its
 * holder (`node:fence`).
 */
function fencedOf(args: readonly string[], at: number): FencedWrite | null {
  const [command, , count, lease = "", meta = ""] = args;
  if (command?.toLowerCase() !== "evalsha" && command?.toLowerCase() !== "eval") return null;
  if (!lease.endsWith(":lease") || !meta.endsWith(":meta")) return null;
  const holder = args[3 + Number(count)] ?? "";
  const shard = /\{s\d+\}/.exec(lease)?.[0] ?? "";
  const colon = holder.lastIndexOf(":");
  return { shard, node: holder.slice(0, colon), fence: Number(holder.slice(colon + 1)), at };
}

/**
 * Open a monitor of a busy server. `redis.monitor()` fails if a recorded command arrives in one packet with the
 * answer to `MONITOR`: ioredis reports it as an answer without a question. Such early commands are ignored.
 */
async function openMonitor(client: Redis): Promise<Redis> {
  const monitor = client.duplicate({ monitor: true, lazyConnect: true });
  const ignore = (): void => undefined;
  monitor.on("error", ignore);
  const started = new Promise((resolve) => monitor.once("monitoring", resolve));
  await monitor.connect();
  await started;
  monitor.off("error", ignore);
  return monitor;
}

export async function watchFences(url: string): Promise<FenceWatch> {
  const client = new Redis(url, { maxRetriesPerRequest: 2 });
  const monitor = await openMonitor(client);
  const writes: FencedWrite[] = [];
  const refused: FencedWrite[] = [];
  let running: { script: FencedWrite; wrote: boolean } | undefined;
  const finish = (): void => {
    if (running) (running.wrote ? writes : refused).push(running.script);
    running = undefined;
  };
  monitor.on("monitor", (time: string, args: string[], source: string) => {
    if (source === "lua") {
      if (running && WRITES.has(args[0]?.toLowerCase() ?? "")) running.wrote = true;
      return;
    }
    finish();
    const script = fencedOf(args, Number(time) * 1_000);
    if (script) running = { script, wrote: false };
  });
  return {
    writes,
    refused,
    async now() {
      const [seconds, micros] = await client.time();
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    },
    close() {
      monitor.disconnect();
      client.disconnect();
    },
  };
}
