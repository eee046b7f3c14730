import { NOTIFIED } from "../../src/account/notification-handler.ts";
import { put, putDated, putSingle } from "../../src/store/collections.ts";
import { anyAlarms, anyIntents, anySettings, foundSingle, listed } from "../any-documents.ts";
/**
 * Faults of Redis and of the connection to it. Long because all of them happen to one server and one harness.
 */

import { inspect } from "node:util";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { flipAt, stepFrom } from "../../src/store/contract.suite.ts";
import { NewerSchemaError, StaleOwnerError, StoreUnavailableError } from "../../src/store/errors.ts";
import { createKeys } from "../../src/store/redis/keys.ts";
import { REDIS_SCHEMA } from "../../src/store/redis/redis-store.ts";
import { SHARDS, shardOf } from "../../src/store/shard.ts";
import type { AccountStore, AccountStreams } from "../../src/store/store.ts";
import { newPrefix, type RedisNode, shareShards, startNode } from "../redis-harness.ts";
import { until } from "../until.ts";

let redis: RunningRedis;
let admin: Redis;
beforeAll(async () => {
  redis = await startRedis();
  admin = new Redis(redis.url);
});
afterAll(async () => {
  admin.disconnect();
  await redis.stop();
});

let nodes: RedisNode[] = [];
let proxies: TcpProxy[] = [];
afterEach(async () => {
  await redis.thaw();
  await admin.config("SET", "maxmemory", "0");
  await Promise.all(nodes.map(({ store }) => store.close()));
  await Promise.all(proxies.map((proxy) => proxy.close()));
  nodes = [];
  proxies = [];
});

function start(prefix: string, url = redis.url): RedisNode {
  const node = startNode(url, prefix);
  nodes.push(node);
  return node;
}

async function startBehindProxy(prefix: string): Promise<{ node: RedisNode; proxy: TcpProxy }> {
  const proxy = await startTcpProxy(redis.url);
  proxies.push(proxy);
  return { node: start(prefix, `redis://127.0.0.1:${proxy.port}`), proxy };
}

/** Claim and attach an account of a shard that this node owns. */
async function takeAccount({
  store,
}: RedisNode): Promise<{ id: string; account: AccountStore; streams: AccountStreams }> {
  let n = 0;
  while (!store.shards.owns(shardOf(`a${n}`))) n += 1;
  const id = `a${n}`;
  return { id, account: await store.claim(id), streams: await store.attach(id) };
}

/** Return the number of connections that Redis has accepted so far. */
async function connections(): Promise<number> {
  const info = await admin.info("stats");
  return Number(/total_connections_received:(\d+)/.exec(info)?.[1]);
}

/** Repeat steps until one is written, as a writer does; pass each outcome on. */
async function stepAgain(account: AccountStore, streams: AccountStreams, n: number): Promise<void> {
  await until(async () => {
    try {
      const outcome = await account.step(stepFrom(streams.devices.offset, { "sensor:1": { n } }));
      return outcome.kind === "written";
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      throw error;
    }
  });
}

/**
 * Expect the write to be refused for good. Until its connection has recovered the store may be unavailable
 * for it.
 */
async function isStale(write: () => Promise<unknown>): Promise<void> {
  await until(async () => {
    const outcome = await write().catch((error: unknown) => error);
    if (outcome instanceof StoreUnavailableError) return false;
    expect(outcome).toBeInstanceOf(StaleOwnerError);
    return true;
  });
}

test("[NODE-5] a node away for longer than its lease loses its shards, and writes nothing", async () => {
  const prefix = newPrefix();
  const { node: lame, proxy } = await startBehindProxy(prefix);
  const sound = start(prefix);
  await shareShards(lame, sound);
  const { id, account } = await takeAccount(lame);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  const gone: number[] = [];
  lame.store.shards.onChange((shard, owned) => {
    if (!owned) gone.push(shard);
  });
  proxy.swallow();
  await until(() => sound.store.shards.owned() === SHARDS);
  const next = await sound.store.claim(id);
  const { devices } = await sound.store.attach(id);
  expect(devices.changesSince(undefined)).toMatchObject({ offset: 1, state: { "sensor:1": { n: 1 } } });
  expect(await next.step(stepFrom(1, { "sensor:1": { n: 2 } }))).toMatchObject({ kind: "written" });
  expect(next.fence).toBeGreaterThan(account.fence);
  proxy.pass();
  await until(() => lame.store.available);
  await isStale(() => account.step(stepFrom(1, { "sensor:1": { n: 666 } })));
  await isStale(() => account.documents.write([put(anyIntents, "c", {})]));
  await until(() => gone.includes(shardOf(id)));
  expect(devices.changesSince(undefined)).toMatchObject({ offset: 2, state: { "sensor:1": { n: 2 } } });
  expect(await listed(next.documents, anyIntents)).toEqual([]);
  await shareShards(lame, sound);
});

test("[NODE-5] a write detects that another node holds the lease, and gives the shard up", async () => {
  const prefix = newPrefix();
  const node = start(prefix);
  await shareShards(node);
  const { id, account, streams } = await takeAccount(node);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  const gone: number[] = [];
  node.store.shards.onChange((shard, owned) => {
    if (!owned) gone.push(shard);
  });
  const keys = createKeys(prefix).account(id);
  await admin.set(keys.lease, "somebody:99", "PX", 60_000);
  const writes = [
    account.step(stepFrom(1, { "sensor:1": { n: 666 } })),
    account.append(flipAt(node.store.now())),
    account.claimUnit("sensors"),
    account.documents.write([putDated(anyAlarms, "al1", 1, {})]),
    account.documents.write([put(anyIntents, "c", {})]),
  ];
  for (const write of await Promise.allSettled(writes)) {
    expect(write).toMatchObject({ status: "rejected", reason: expect.any(StaleOwnerError) });
  }
  expect(gone).toEqual([shardOf(id)]);
  expect(await admin.hget(keys.values, "sensor:1")).toBe('{"n":1}');
  expect(await admin.exists(keys.document("n"), keys.document("al"), keys.claims, keys.events)).toBe(0);
  expect(streams.devices.offset).toBe(1);
});

test("[NODE-2] a stream written by another history of Redis is moved, at any offset", async () => {
  const prefix = newPrefix();
  const node = start(prefix);
  await shareShards(node);
  const { id, account } = await takeAccount(node);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  const keys = createKeys(prefix).account(id);
  await admin.hset(keys.meta, "replid", "another");
  expect(await account.step(stepFrom(1, { "sensor:1": { n: 2 } }))).toEqual({ kind: "moved", offset: 1 });
  expect(await admin.hget(keys.values, "sensor:1")).toBe('{"n":1}');
});

test("[NODE-2] after FLUSHALL the owner restores state, intents, alarms and settings", async () => {
  const prefix = newPrefix();
  const [owner, other] = [start(prefix), start(prefix)];
  await shareShards(owner, other);
  const { id, account, streams } = await takeAccount(owner);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 }, "sensor:2": { n: 1 } }));
  await account.append(flipAt(owner.store.now()));
  await account.documents.write([put(anyIntents, "channel:1", { want: "open" })]);
  await account.documents.write([putDated(anyAlarms, "al1", 5, { active: true })]);
  await account.documents.write([putSingle(anySettings, { adoptExternal: true })]);
  await account.documents.write([putSingle(NOTIFIED, { at: 7, keys: ["n1"] })]);
  await owner.store.watchAccount(id);
  const copy = await other.store.attach(id);
  const before = { epoch: streams.devices.epoch, offset: streams.devices.offset };
  await admin.flushall();
  expect(await account.step(stepFrom(1, { "sensor:1": { n: 2 } }))).toMatchObject({ kind: "moved" });
  const values = new Map([
    ["sensor:1", { n: 2 }],
    ["sensor:2", { n: 1 }],
  ]);
  await account.beginEpoch(values);
  expect(await account.step(stepFrom(0, { "sensor:2": { n: 3 } }))).toMatchObject({ kind: "written" });
  const now = { "sensor:1": { n: 2 }, "sensor:2": { n: 3 } };
  await until(() => copy.devices.epoch === streams.devices.epoch && copy.devices.offset === 1);
  expect(copy.devices.changesSince(before)).toMatchObject({ kind: "snapshot", state: now });
  expect(copy.events.eventsSince(undefined, 10)).toMatchObject({ newest: [{ offset: 1 }] });
  expect(await account.append(flipAt(owner.store.now()))).toMatchObject({ offset: 2 });
  expect(await listed(account.documents, anyIntents)).toEqual([["channel:1", { want: "open" }]]);
  expect(await listed(account.documents, anyAlarms)).toEqual([["al1", { active: true }]]);
  expect(await foundSingle(account.documents, anySettings)).toEqual({ adoptExternal: true });
  expect(await foundSingle(account.documents, NOTIFIED)).toEqual({ at: 7, keys: ["n1"] });
  expect(await owner.store.watchedAccounts(shardOf(id))).toEqual([id]);
  expect(owner.errors).toEqual([]);
});

test("[NODE-2] an owner without writes detects the loss as well, and no viewer sees an empty farm", async () => {
  const prefix = newPrefix();
  const [owner, other] = [start(prefix), start(prefix)];
  await shareShards(owner, other);
  const { id, account, streams } = await takeAccount(owner);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  const copy = await other.store.attach(id);
  const { epoch } = streams.devices;
  await admin.flushall();
  await other.store.resync();
  expect(copy.devices.changesSince(undefined)).toMatchObject({ state: { "sensor:1": { n: 1 } } });
  await until(() => copy.devices.epoch !== epoch && copy.devices.epoch === streams.devices.epoch);
  expect(copy.devices.changesSince(undefined)).toMatchObject({ state: { "sensor:1": { n: 1 } } });
});

test("[NODE-2] another replication id, as after a failover, moves the stream", async () => {
  const node = start(newPrefix());
  await shareShards(node);
  const { account, streams } = await takeAccount(node);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  const { epoch } = streams.devices;
  const said: boolean[] = [];
  node.store.onAvailable((available) => said.push(available));
  await admin.call("REPLICAOF", "127.0.0.1", "1");
  await expect(account.step(stepFrom(1, { "sensor:1": { n: 2 } }))).rejects.toBeInstanceOf(
    StoreUnavailableError,
  );
  expect(node.store.available).toBe(false);
  await admin.call("REPLICAOF", "NO", "ONE");
  await admin.client("KILL", "TYPE", "normal", "SKIPME", "yes");
  await until(() => node.store.available && streams.devices.epoch !== epoch);
  expect(streams.devices.changesSince(undefined)).toMatchObject({ state: { "sensor:1": { n: 1 } } });
  await stepAgain(account, streams, 3);
});

test("[NODE-3] a frozen Redis is reported within seconds, nothing hangs, and the stream continues after it", async () => {
  const prefix = newPrefix();
  const [owner, other] = [start(prefix), start(prefix)];
  await shareShards(owner, other);
  const { id, account, streams } = await takeAccount(owner);
  const copy = await other.store.attach(id);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  const { epoch } = streams.devices;
  await redis.freeze();
  await expect(account.step(stepFrom(1, { "sensor:1": { n: 2 } }))).rejects.toBeInstanceOf(
    StoreUnavailableError,
  );
  await expect(account.documents.write([put(anyIntents, "c", {})])).rejects.toBeInstanceOf(
    StoreUnavailableError,
  );
  await expect(owner.store.shards.confirm(shardOf(id))).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(owner.store.available).toBe(false);
  expect(owner.store.shards.owns(shardOf(id))).toBe(true);
  expect(streams.devices.changesSince(undefined)).toMatchObject({ offset: 1 });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  await redis.thaw();
  await until(() => owner.store.available && other.store.available);
  await stepAgain(account, streams, 7);
  expect(streams.devices.epoch).toBe(epoch);
  await until(() => copy.devices.offset === streams.devices.offset);
  expect(copy.devices.changesSince(undefined)).toEqual(streams.devices.changesSince(undefined));
  expect(owner.store.shards.owned() + other.store.shards.owned()).toBe(SHARDS);
});

test("[NODE-2] a step whose answer was lost is neither lost nor written twice", async () => {
  const { node, proxy } = await startBehindProxy(newPrefix());
  await shareShards(node);
  const { account, streams } = await takeAccount(node);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  const { epoch } = streams.devices;
  const event = flipAt(node.store.now());
  proxy.swallowAnswers();
  const steps = [account.step(stepFrom(1, { "sensor:2": { n: 1 } })), account.append(event)];
  for (const result of await Promise.allSettled(steps)) expect(result.status).toBe("rejected");
  proxy.pass();
  await until(() => node.store.available);
  await stepAgain(account, streams, 2);
  expect(streams.devices.epoch).toBe(epoch);
  expect(streams.devices.changesSince({ epoch, offset: 0 })).toMatchObject({
    offset: 3,
    set: { "sensor:1": { n: 2 }, "sensor:2": { n: 1 } },
  });
  expect(await account.append(event)).toEqual({ offset: 1, event });
  expect(streams.events.offset).toBe(1);
});

test("[LIVE-4] a disconnected subscriber comes back, and its copies miss nothing", async () => {
  const prefix = newPrefix();
  const [owner, other] = [start(prefix), start(prefix)];
  await shareShards(owner, other);
  const { id, account } = await takeAccount(owner);
  const copy = await other.store.attach(id);
  await admin.client("KILL", "TYPE", "pubsub");
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  await until(() => copy.devices.offset === 1);
  await account.step(stepFrom(1, { "sensor:1": { n: 2 } }));
  await until(() => copy.devices.offset === 2);
});

test("[LIVE-4] a silently dead subscription leaves no copy behind, and is replaced", async () => {
  const prefix = newPrefix();
  const owner = start(prefix);
  const { node: other, proxy } = await startBehindProxy(prefix);
  await shareShards(owner, other);
  const { id, account } = await takeAccount(owner);
  const copy = await other.store.attach(id);
  proxy.deaden((sent) => sent.includes("subscribe"));
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  await account.append(flipAt(owner.store.now()));
  expect(await other.store.resync()).toBe(1);
  expect([copy.devices.offset, copy.events.offset]).toEqual([1, 1]);
  expect(await other.store.resync()).toBe(0);
  await until(async () => {
    const { offset } = copy.devices;
    await account.step(stepFrom(offset, { "sensor:1": { n: offset } }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (copy.devices.offset === offset + 1) return true;
    await other.store.resync();
    return false;
  });
});

test("[NODE-3] a full Redis refuses writes, is reported, and is back when there is room", async () => {
  const node = start(newPrefix());
  await shareShards(node);
  const { account } = await takeAccount(node);
  await admin.config("SET", "maxmemory", "1");
  await expect(account.documents.write([put(anyIntents, "c", {})])).rejects.toBeInstanceOf(
    StoreUnavailableError,
  );
  expect(node.store.available).toBe(false);
  await admin.config("SET", "maxmemory", "0");
  await until(() => node.store.available);
  await account.documents.write([put(anyIntents, "c", {})]);
});

test("[NODE-3] reports the settings that Redis lacks for durable storage", async () => {
  const node = start(newPrefix());
  await node.store.opened();
  expect(node.store.shortcomings).toEqual(["Redis runs without an append-only file: set appendonly yes."]);
  await admin.config("SET", "maxmemory-policy", "allkeys-lru");
  await admin.config("SET", "appendonly", "yes");
  const later = start(newPrefix());
  await later.store.opened();
  await admin.config("SET", "appendonly", "no");
  await admin.config("SET", "maxmemory-policy", "noeviction");
  expect(later.store.shortcomings).toEqual([
    "Redis may evict keys by allkeys-lru: set maxmemory-policy noeviction.",
  ]);
});

test("[NODE-3] reports a wrong password once, and without the password", async () => {
  await admin.acl("SETUSER", "somebody", "on", ">right-secret", "~*", "&*", "+@all");
  const url = redis.url.replace("redis://", "redis://somebody:wrong-secret@");
  const node = start(newPrefix(), url);
  await until(() => node.errors.length > 0);
  // Attempts continue, each second.
  const before = await connections();
  await until(async () => (await connections()) > before + 4);
  expect(node.store.available).toBe(false);
  expect(node.errors).toHaveLength(1);
  expect(String(node.errors[0])).toContain("WRONGPASS");
  expect(inspect(node.errors, { depth: 10, showHidden: true })).not.toContain("wrong-secret");
});

test("[NODE-6] refuses data of a newer version with an explanation, and leaves it unchanged", async () => {
  const prefix = newPrefix();
  await admin.set(`${prefix}schema`, REDIS_SCHEMA + 1);
  const { store } = start(prefix);
  await expect(store.opened()).rejects.toThrow(NewerSchemaError);
  expect(await admin.keys(`${prefix}*`)).toEqual([`${prefix}schema`]);
});
