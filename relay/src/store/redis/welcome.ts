import type { Redis } from "ioredis";
import { NewerSchemaError } from "../errors.ts";
import type { RedisKeys } from "./keys.ts";
import { asList, asText } from "./script.ts";

/** Version of the key layout. */
export const REDIS_SCHEMA = 2;

/**
 * Check that this version may use the data in Redis, and write its version into an empty one.
 * @throws NewerSchemaError for data of a newer version (NODE-6)
 */
export async function checkSchema(client: Redis, keys: RedisKeys): Promise<void> {
  const found = Number((await client.get(keys.schema)) ?? 0);
  if (found > REDIS_SCHEMA) {
    throw new NewerSchemaError(
      `The data in Redis has schema ${found}, and this version knows up to ${REDIS_SCHEMA}: ` +
        "start the newer version again, or give this one another REDIS_URL.",
    );
  }
  if (found < REDIS_SCHEMA) await client.set(keys.schema, REDIS_SCHEMA);
}

/** Return the id of the present history of Redis: it changes with a failover and a restart (NODE-2). */
export async function readReplicationId(client: Redis): Promise<string> {
  const info = await client.info("replication");
  return /^master_replid:(\w+)/m.exec(info)?.[1] ?? "unknown";
}

async function setting(client: Redis, name: string): Promise<string | null> {
  try {
    return asText(asList(await client.call("CONFIG", "GET", name))[1]);
  } catch (error) {
    // Hosted services forbid the command; the next command finds a lost connection.
    if (error instanceof Error && error.name === "ReplyError") return null;
    throw error;
  }
}

/** Return the settings that this Redis lacks for durable storage (NODE-3), one sentence each. */
export async function readShortcomings(client: Redis): Promise<string[]> {
  const appendOnly = await setting(client, "appendonly");
  const policy = await setting(client, "maxmemory-policy");
  const sentences: string[] = [];
  if (appendOnly === null || policy === null) {
    sentences.push(
      "Redis does not report if it stores its data durably: it must run with appendonly yes and maxmemory-policy noeviction.",
    );
  }
  if (appendOnly === "no") sentences.push("Redis runs without an append-only file: set appendonly yes.");
  if (policy !== null && policy !== "noeviction") {
    sentences.push(`Redis may evict keys by ${policy}: set maxmemory-policy noeviction.`);
  }
  return sentences;
}
