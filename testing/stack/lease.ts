import { Redis } from "ioredis";
import type { Cluster, ClusterNode } from "./start-cluster.ts";

const PREFIX = "mulkko:";

/** Return the shard of an account, such as `{s17}`; undefined before its first owner wrote. */
async function readShard(redis: Redis, accountId: string): Promise<string | undefined> {
  const [meta] = await redis.keys(`${PREFIX}{s*}:a:${accountId}:meta`);
  return meta?.match(/\{s\d+\}/)?.[0];
}

/** Return the shard of an account, such as `{s17}`; undefined before its first owner wrote. */
export async function shardOf(cluster: Cluster, accountId: string): Promise<string | undefined> {
  const redis = new Redis(cluster.redis.url, { maxRetriesPerRequest: 2 });
  try {
    return await readShard(redis, accountId);
  } finally {
    redis.disconnect();
  }
}

/** Return the relay that owns an account, by the lease in Redis; undefined without an owner. */
export async function ownerOf(cluster: Cluster, accountId: string): Promise<ClusterNode | undefined> {
  const redis = new Redis(cluster.redis.url, { maxRetriesPerRequest: 2 });
  try {
    const tag = await readShard(redis, accountId);
    const holder = tag === undefined ? null : await redis.get(`${PREFIX}${tag}:lease`);
    for (const node of cluster.nodes) {
      const id = await node.id();
      if (id !== "" && holder?.startsWith(`${id}:`)) return node;
    }
    return undefined;
  } finally {
    redis.disconnect();
  }
}

/** Empty the Redis of a cluster, as an operator's mistake does. */
export async function flushAll(cluster: Cluster): Promise<void> {
  const redis = new Redis(cluster.redis.url, { maxRetriesPerRequest: 2 });
  await redis.flushall();
  redis.disconnect();
}

/** Let the Redis of a cluster refuse every write for lack of memory, as one whose machine is full; or end it. */
export async function fillStore(cluster: Cluster, isFull: boolean): Promise<void> {
  const redis = new Redis(cluster.redis.url, { maxRetriesPerRequest: 2 });
  await redis.config("SET", "maxmemory", isFull ? "1" : "0");
  redis.disconnect();
}
