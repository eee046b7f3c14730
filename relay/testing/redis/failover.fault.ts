import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { put, putDated } from "../../src/store/collections.ts";
import { flipAt, stepFrom } from "../../src/store/contract.suite.ts";
import { StoreUnavailableError } from "../../src/store/errors.ts";
import { createKeys } from "../../src/store/redis/keys.ts";
import { SHARDS, shardOf } from "../../src/store/shard.ts";
import type { AccountStore, AccountStreams } from "../../src/store/store.ts";
import { stateOf } from "../../src/store/streams.ts";
import { anyAlarms, anyIntents, listed } from "../any-documents.ts";
import { newPrefix, type RedisNode, shareShards, startNode } from "../redis-harness.ts";
import { until } from "../until.ts";

/** Two real servers, one the replica of the other, and two relay nodes at an address that can be switched. */
let primary: RunningRedis;
let replica: RunningRedis;
let address: TcpProxy;
let replication: TcpProxy;
let ofReplica: Redis;
let owner: RedisNode;
let other: RedisNode;
let prefix: string;
let id: string;
let account: AccountStore;
let streams: AccountStreams;
let copy: AccountStreams;

beforeEach(async () => {
  [primary, replica] = await Promise.all([startRedis(), startRedis()]);
  [address, replication] = await Promise.all([startTcpProxy(primary.url), startTcpProxy(primary.url)]);
  ofReplica = new Redis(replica.url);
  await ofReplica.call("REPLICAOF", "127.0.0.1", String(replication.port));
  await until(async () => (await ofReplica.info("replication")).includes("master_link_status:up"));
  prefix = newPrefix();
  const url = `redis://127.0.0.1:${address.port}`;
  owner = startNode(url, prefix);
  other = startNode(url, prefix);
  await shareShards(owner, other);
  let n = 0;
  while (!owner.store.shards.owns(shardOf(`a${n}`))) n += 1;
  id = `a${n}`;
  account = await owner.store.claim(id);
  streams = await owner.store.attach(id);
  copy = await other.store.attach(id);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 }, "sensor:2": { n: 1 } }));
  await account.append(flipAt(owner.store.now()));
  await account.documents.write([put(anyIntents, "channel:1", { want: "open" })]);
  await replicated();
});
afterEach(async () => {
  await Promise.all([owner.store.close(), other.store.close()]);
  ofReplica.disconnect();
  await Promise.all([address.close(), replication.close()]);
  await primary.thaw();
  await Promise.all([primary.stop(), replica.stop()]);
});

/** Wait until the replica has every write so far. */
async function replicated(): Promise<void> {
  const ofPrimary = new Redis(primary.url);
  try {
    await ofPrimary.wait(1, 10_000);
  } finally {
    ofPrimary.disconnect();
  }
}

/** Freeze the primary, and let its replica take over its address. */
async function failOver(): Promise<void> {
  await primary.freeze();
  await ofReplica.call("REPLICAOF", "NO", "ONE");
  address.aim(replica.url);
}

/** Repeat steps until one is written, as a writer does. */
async function stepAgain(n: number): Promise<void> {
  await until(async () => {
    try {
      const step = stepFrom(streams.devices.offset, { "sensor:1": { n } });
      return (await account.step(step)).kind === "written";
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      throw error;
    }
  });
}

const intents = async (): Promise<Record<string, unknown>> =>
  Object.fromEntries(await listed(account.documents, anyIntents));

test("[NODE-2] a failover that lost the newest writes costs no value: the owner writes its copy under a new epoch", async () => {
  const { epoch } = streams.devices;
  replication.swallow();
  await account.step(stepFrom(1, { "sensor:2": { n: 2 } }));
  await account.step(stepFrom(2, { "sensor:3": { n: 3 } }, ["sensor:1"]));
  await account.documents.write([
    put(anyIntents, "channel:1", { want: "close" }),
    put(anyIntents, "channel:2", { want: "open" }),
  ]);
  await account.documents.write([putDated(anyAlarms, "al1", 5, { active: true })]);
  await until(() => copy.devices.offset === 3);
  const ahead = { epoch, offset: copy.devices.offset };
  await failOver();
  // No write is needed: the owner finds the loss by itself.
  const kept = { "sensor:2": { n: 2 }, "sensor:3": { n: 3 } };
  await until(() => owner.store.available && streams.devices.epoch !== epoch);
  await until(() => copy.devices.epoch === streams.devices.epoch);
  expect([stateOf(streams.devices), stateOf(copy.devices)]).toEqual([kept, kept]);
  expect(copy.devices.changesSince(ahead)).toMatchObject({ kind: "snapshot", state: kept });
  await stepAgain(7);
  expect(await intents()).toEqual({ "channel:1": { want: "close" }, "channel:2": { want: "open" } });
  expect(await listed(account.documents, anyAlarms)).toEqual([["al1", { active: true }]]);
  await until(() => copy.devices.offset === streams.devices.offset);
  expect(stateOf(copy.devices)).toEqual({ ...kept, "sensor:1": { n: 7 } });
  expect(owner.store.shards.owned() + other.store.shards.owned()).toBe(SHARDS);
});

test("[NODE-2] a reader that received lost steps does not continue with later steps of the same numbers", async () => {
  const { epoch } = streams.devices;
  replication.swallow();
  await account.step(stepFrom(1, { "sensor:2": { n: 2 } }));
  await until(() => copy.devices.offset === 2);
  const received: { from: number; offset: number }[] = [];
  copy.devices.listen(({ from, offset }) => received.push({ from, offset }));
  await failOver();
  await stepAgain(3);
  await stepAgain(4);
  await stepAgain(5);
  await until(() => copy.devices.epoch !== epoch && copy.devices.offset === streams.devices.offset);
  // A reader at 2 of the old epoch first learns that its position is invalid.
  expect(received[0]?.from).toBeLessThan(0);
  expect(copy.devices.changesSince({ epoch, offset: 2 })).toMatchObject({
    kind: "snapshot",
    state: { "sensor:1": { n: 5 }, "sensor:2": { n: 2 } },
  });
});

test("[SUB-4] events lost in a failover are written again, and no position in the old log is accepted", async () => {
  replication.swallow();
  await account.append(flipAt(owner.store.now(), "sensor:2"));
  await until(() => copy.events.offset === 2);
  const before = { epoch: copy.events.epoch, offset: 2 };
  await failOver();
  await until(() => owner.store.available && streams.events.epoch !== before.epoch);
  await stepAgain(2);
  await account.append(flipAt(owner.store.now(), "sensor:3"));
  await until(() => copy.events.epoch === streams.events.epoch && copy.events.offset === 3);
  expect(copy.events.eventsSince(before, 100)).toMatchObject({
    kind: "snapshot",
    newest: [
      { offset: 1 },
      { offset: 2, event: { key: "sensor:2" } },
      { offset: 3, event: { key: "sensor:3" } },
    ],
  });
});

test("[NODE-2] an owner interrupted while it writes again continues, although the epoch has begun", async () => {
  const ofPrimary = new Redis(primary.url);
  try {
    await account.documents.write([putDated(anyAlarms, "al1", 5, { active: true })]);
    await ofPrimary.flushall();
    // A key that is no hash accepts no intents.
    await ofPrimary.set(createKeys(prefix).account(id).document("n"), "in the way");
    await expect(account.beginEpoch(new Map([["sensor:1", { n: 1 }]]))).rejects.toThrow();
    await ofPrimary.del(createKeys(prefix).account(id).document("n"));
    await stepAgain(2);
    expect(await intents()).toEqual({ "channel:1": { want: "open" } });
    expect(await listed(account.documents, anyAlarms)).toEqual([["al1", { active: true }]]);
    expect(streams.events.eventsSince(undefined, 10)).toMatchObject({ newest: [{ offset: 1 }] });
  } finally {
    ofPrimary.disconnect();
  }
});
