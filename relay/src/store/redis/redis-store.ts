import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import { repeat } from "@mulkko/shared/server/node-timers";
import Type from "typebox";
import { createSemaphore } from "../../runtime/semaphore.ts";
import { Documents } from "../documents.ts";
import { NewerSchemaError, StaleOwnerError, StoreUnavailableError } from "../errors.ts";
import { readJson } from "../json.ts";
import { SHARDS, shardOf } from "../shard.ts";
import type { AccountStreams, Store } from "../store.ts";
import {
  type Connection,
  type CreateClient,
  createRedisClient,
  openConnection,
  type RedisClient,
} from "./connection.ts";
import { createCopies } from "./copies.ts";
import { createFenced } from "./fenced.ts";
import { type AccountKeys, createKeys, type RedisKeys, type ShardKeys } from "./keys.ts";
import { Leases } from "./leases.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { createRedisAccountStore, type RedisAccountStore } from "./redis-account-store.ts";
import { createRedisDisplays } from "./redis-displays.ts";
import { accountsKey, createSharedTexts } from "./redis-documents.ts";
import { createRedisMessages } from "./redis-messages.ts";
import { asList, asNumber, asText } from "./script.ts";
import { createStoreClock } from "./store-clock.ts";
import { createPublisher } from "./stored-streams.ts";
import { CLAIM } from "./stream-scripts.ts";
import { openSubscriber } from "./subscriber.ts";

/** Version of the key layout. */
export const REDIS_SCHEMA = 2;

/**
 * Check that this version may use the data in Redis, and write its version into an empty one.
 * @throws NewerSchemaError for data of a newer version (NODE-6)
 */
async function checkSchema(client: RedisClient, keys: RedisKeys): Promise<void> {
  const found = Number((await client.call("GET", keys.schema)) ?? 0);
  if (found > REDIS_SCHEMA) {
    throw new NewerSchemaError(
      `The data in Redis has schema ${found}, and this version knows up to ${REDIS_SCHEMA}: ` +
        "start the newer version again, or give this one another REDIS_URL.",
    );
  }
  if (found < REDIS_SCHEMA) await client.call("SET", keys.schema, REDIS_SCHEMA);
}

/** Return the id of the present history of Redis: it changes with a failover and a restart (NODE-2). */
export async function readReplicationId(client: RedisClient): Promise<string> {
  const info = asText(await client.call("INFO", "replication"));
  return /^master_replid:(\w+)/m.exec(info)?.[1] ?? "unknown";
}

async function setting(client: RedisClient, name: string): Promise<string | null> {
  try {
    return asText(asList(await client.call("CONFIG", "GET", name))[1]);
  } catch (error) {
    // Hosted services forbid the command; the next command finds a lost connection.
    if (error instanceof Error && error.name === "ReplyError") return null;
    throw error;
  }
}

/** Return the settings that this Redis lacks for durable storage (NODE-3), one sentence each. */
async function readShortcomings(client: RedisClient): Promise<string[]> {
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

/** A passing document in Redis, beside its value under the name of its collection. */
const Ending = Type.Object({ expiresAt: Type.Number() });

/** Create the passing documents in Redis, for all nodes. Redis itself deletes expired ones. */
function createRedisPassing(connection: Connection, keys: RedisKeys, now: () => number): Store["passing"] {
  return (of) => {
    const keyOf = (key: string): string => keys.passing(of.name, key);
    return {
      async get(key) {
        const entry = parse(Ending, readJson(await connection.call("GET", keyOf(key))));
        if (!entry.ok || entry.value.expiresAt <= now()) return undefined;
        return parse(of.value, Reflect.get(entry.value, of.name));
      },
      async put(key, value, expiresAt) {
        const left = Math.ceil(expiresAt - now());
        if (left <= 0) return;
        const text = JSON.stringify({ expiresAt, [of.name]: value });
        await connection.call("SET", keyOf(key), text, "PX", left);
      },
      async drop(key) {
        await connection.call("DEL", keyOf(key));
      },
    };
  };
}

/** Dependencies of the Redis store. */
export interface RedisStoreDeps {
  /** `redis://` or `rediss://`, with name and password if needed. */
  readonly url: string;
  /** Prefix of every key and channel, so that several installations can share a Redis. */
  readonly prefix?: string;
  /** Name of this process, never used by another one. No blanks, no line ends. */
  readonly nodeId: string;
  /** Absent: clients of ioredis. */
  readonly createClient?: CreateClient;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Return a name for an epoch that was never used before. */
  readonly newEpoch: () => string;
  readonly onError: (error: unknown) => void;
  /** Called with each reason of an outage of Redis, once. */
  readonly onOutage: (reason: string) => void;
}

interface Owned {
  readonly fence: number;
  readonly store: RedisAccountStore;
}

/**
 * Create the store of several nodes (NODE-2, NODE-5): state and leases in Redis or Valkey, copies in each
 * node.
 * @param serverTime converts the time of Redis; tests change the time here
 */
export function createRedisStore(deps: RedisStoreDeps, serverTime?: (time: number) => number): Store {
  const { url, timers, nodeId, newEpoch, onError, onOutage, createClient = createRedisClient } = deps;
  const keys = createKeys(deps.prefix ?? "mulkko:");
  const clock = createStoreClock(deps.clock, serverTime);
  const { now } = clock;
  const publication = createPublisher(nodeId);
  const owned = new Map<string, Owned>();
  const watched = new Set<string>();
  const few = createSemaphore(REDIS_LIMITS.accountsAtOnce, REDIS_LIMITS.accountsWaiting);
  let claims = 0;
  let tokens = 0;
  let replid = "unknown";
  let prepared: RedisClient | undefined;
  let shortcomings: readonly string[] = [];
  const unlessAway = (error: unknown): void => {
    if (!(error instanceof StoreUnavailableError)) onError(error);
  };

  let whenOpened: () => void;
  let whenRefused: (error: unknown) => void;
  const opened = new Promise<void>((resolve, reject) => {
    whenOpened = resolve;
    whenRefused = reject;
  });
  opened.catch(onError);
  const prepare = async (client: RedisClient): Promise<void> => {
    try {
      await checkSchema(client, keys);
    } catch (error) {
      if (error instanceof NewerSchemaError) whenRefused(error);
      throw error;
    }
    const before = replid;
    replid = await readReplicationId(client);
    shortcomings = await readShortcomings(client);
    prepared = client;
    whenOpened();
    // Another history may lack the newest writes (NODE-2).
    if (before !== "unknown" && before !== replid) for (const { store } of owned.values()) recover(store);
  };
  const recover = (store: RedisAccountStore): void => {
    timers.after(0, () => {
      few.pass(store.recover).catch((error: unknown) => {
        // The next write finds the same loss.
        if (!(error instanceof StaleOwnerError)) unlessAway(error);
      });
    });
  };
  const connection = openConnection({ url, createClient, prepare, onError, onOutage });
  const leases = new Leases({ node: nodeId, connection, keys, clock, timers, onError });
  const subscriber = openSubscriber(url, createClient, timers);
  const isOwner = (accountId: string): boolean =>
    owned.has(accountId) && leases.holder(shardOf(accountId)) !== undefined;
  const copies = createCopies({ connection, keys, clock, subscriber, isOwner, onError });
  const messages = createRedisMessages({ id: nodeId, connection, keys, leases, now, onError });
  leases.observe({
    waiting: messages.waiting,
    loss(shard) {
      for (const [accountId, { store }] of owned) if (shardOf(accountId) === shard) recover(store);
    },
    gone(shard) {
      for (const accountId of [...owned.keys()]) if (shardOf(accountId) === shard) disown(accountId);
    },
  });
  subscriber.observe({
    message(channel, message) {
      if (copies.received(channel, message)) return;
      if (channel === keys.freed) leases.lookSoon();
      else messages.received(message);
    },
    resubscribed: () => copies.refill(),
  });
  for (const channel of [keys.freed, keys.everyone, keys.node(nodeId)]) {
    subscriber.subscribe(channel).catch(unlessAway);
  }
  /** Mark the copy as no longer the owner's: it may lack what the next owner writes. */
  const disown = (accountId: string): void => {
    if (!owned.delete(accountId)) return;
    copies.letGo(accountId);
    copies.refill(accountId);
  };
  const newToken = (): string => {
    tokens += 1;
    return `${nodeId}:${tokens}`;
  };
  const claimAccount = async (accountId: string, names: AccountKeys): Promise<number> => {
    const stale = new StaleOwnerError(
      `Shard ${names.shard}, of account ${accountId}, belongs to another node.`,
    );
    const streams = [names.values, names.index, names.tombstones, names.buried, names.events];
    for (let n = 0; n < 2; n += 1) {
      const holder = leases.holder(names.shard);
      if (holder === undefined || !leases.owns(names.shard)) throw stale;
      const args = [holder, claims, newEpoch(), replid];
      const [word, claim] = asList(await connection.run(CLAIM, [names.lease, names.meta, ...streams], args));
      if (word === "ok") {
        claims = Math.max(claims, asNumber(claim));
        return asNumber(claim);
      }
      if (word === "stale" || !(await leases.hold(names.shard))) throw stale;
    }
    throw stale;
  };
  /** Return the account ids in a set of this node's shards, or of one shard. */
  const accountsIn = async (setOf: (names: ShardKeys) => string, shard?: number): Promise<string[]> => {
    const shards = Array.from({ length: SHARDS }, (_, n) => n).filter((n) =>
      shard === undefined ? leases.owns(n) : n === shard,
    );
    const lists = await Promise.all(
      shards.map(async (n) => asList(await connection.call("SMEMBERS", setOf(keys.shard(n)))).map(asText)),
    );
    return lists.flat().sort();
  };
  const every = (ms: number, run: () => Promise<unknown>): (() => void) =>
    repeat(timers, ms, () => void run().catch(unlessAway)).cancel;
  const stops = [
    // Reads that were due while Redis was away could not run.
    connection.onAvailable((available) => {
      if (available) copies.resync().catch(unlessAway);
    }),
    every(REDIS_LIMITS.resyncMs, () => copies.resync()),
    every(REDIS_LIMITS.durabilityMs, async () => {
      // The commands of the connection find an outage, and say why.
      if (prepared) shortcomings = await readShortcomings(prepared).catch(() => shortcomings);
    }),
  ];

  return {
    kind: "redis",
    now,
    get available() {
      return connection.available;
    },
    onAvailable: connection.onAvailable,
    get shortcomings() {
      return shortcomings;
    },
    opened: () => opened,
    shards: leases,
    inbox: messages.inbox,
    node: messages.node,
    documents: (accountId) =>
      new Documents(createSharedTexts(keys.account(accountId), connection, now), "any-node"),
    passing: createRedisPassing(connection, keys, now),
    displays: createRedisDisplays(connection, keys, now, newEpoch),
    async attach(accountId): Promise<AccountStreams> {
      const { devices, events } = await copies.hold(accountId);
      let isHeld = true;
      return {
        devices: devices.stream,
        events: events.stream,
        detach() {
          if (isHeld) copies.letGo(accountId);
          isHeld = false;
        },
      };
    },
    async claim(accountId) {
      const names = keys.account(accountId);
      const claim = await claimAccount(accountId, names);
      const check = (): void => {
        if (owned.get(accountId)?.fence === claim) return;
        throw new StaleOwnerError(
          `Account ${accountId} was claimed again, or released: fence ${claim} is stale.`,
        );
      };
      // The last owner may have written until this claim. A copy that this node owned already is complete.
      const copy = await copies.hold(accountId, !owned.has(accountId));
      try {
        const fenced = createFenced({
          names,
          connection,
          leases,
          fence: claim,
          replid: () => replid,
          check,
        });
        const store = createRedisAccountStore(
          { names, fenced, copy, clock, publication, newEpoch, newToken },
          () => watched.has(accountId),
        );
        if (owned.has(accountId)) copies.letGo(accountId);
        owned.set(accountId, { fence: claim, store });
        return store;
      } catch (error) {
        copies.letGo(accountId);
        throw error;
      }
    },
    async release(accountId, fence) {
      if (owned.get(accountId)?.fence !== fence) return;
      disown(accountId);
    },
    watchedAccounts: (shard) => accountsIn(({ watched: set }) => set, shard),
    accountsWith: (of, shard) => accountsIn((names) => accountsKey(of, names), shard),
    async watchAccount(accountId) {
      await connection.call("SADD", keys.account(accountId).watched, accountId);
      watched.add(accountId);
    },
    async unwatchAccount(accountId) {
      watched.delete(accountId);
      await connection.call("SREM", keys.account(accountId).watched, accountId);
    },
    resync: copies.resync,
    async close() {
      await leases.drain();
      for (const stop of stops) stop();
      leases.close();
      subscriber.close();
      await connection.close();
    },
  };
}
