import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newPrefix, type RedisNode, shareShards, startNode } from "../../../testing/redis-harness.ts";
import { until } from "../../../testing/until.ts";
import { flipAt, stepFrom } from "../contract.suite.ts";
import { changeFrame, emptyGathering, gatherDel, gatherPatch, gatherSet, takeGathered } from "../gather.ts";
import { SHARDS, shardOf } from "../shard.ts";
import type { AccountStreams } from "../store.ts";
import { type DeviceStream, type Frame, stateOf } from "../streams.ts";

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let nodes: RedisNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.map(({ store }) => store.close()));
  nodes = [];
});

function start(prefix: string): RedisNode {
  const node = startNode(redis.url, prefix);
  nodes.push(node);
  return node;
}

async function startTwo(): Promise<[RedisNode, RedisNode]> {
  const prefix = newPrefix();
  const pair: [RedisNode, RedisNode] = [start(prefix), start(prefix)];
  await shareShards(...pair);
  return pair;
}

/** Return an account of a shard that this node owns. */
function accountOf({ store }: RedisNode): string {
  for (let n = 0; n < 10_000; n += 1) if (store.shards.owns(shardOf(`a${n}`))) return `a${n}`;
  throw new Error("the node owns nothing");
}

/** Return everything that a reader can get, from every position. */
const whole = (stream: DeviceStream) => {
  const { epoch, offset } = stream;
  const received = Array.from({ length: offset + 1 }, (_, from) => {
    const step = stream.changesSince({ epoch, offset: from });
    return step.kind === "resume" ? { ...step, del: step.del.sort() } : step;
  });
  return { epoch, offset, snapshot: stream.changesSince(undefined), received };
};

test("[SUB-2] a copy on another node equals the owner's, step by step, from any start", async () => {
  const prefix = newPrefix();
  const [owner, other, third] = [start(prefix), start(prefix), start(prefix)];
  await shareShards(owner, other, third);
  const accountId = accountOf(owner);
  const key = fc.integer({ min: 0, max: 5 }).map((n) => `sensor:${n}`);
  const change = fc.record({
    set: fc.dictionary(key, fc.record({ n: fc.integer(), m: fc.integer() }), { maxKeys: 3 }),
    patch: fc.dictionary(key, fc.record({ n: fc.integer() }), { maxKeys: 2 }),
    del: fc.uniqueArray(key, { maxLength: 2 }),
    begins: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    attaches: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const gathering = emptyGathering();
      const account = await owner.store.claim(accountId);
      const mine = await owner.store.attach(accountId);
      await account.beginEpoch(new Map());
      const early = await other.store.attach(accountId);
      let late = await third.store.attach(accountId);
      for (const { set, patch, del, begins, attaches } of changes) {
        if (begins) await account.beginEpoch(gathering.values);
        if (attaches) late.detach();
        const attached = attaches ? third.store.attach(accountId) : undefined;
        for (const [one, value] of Object.entries(set)) gatherSet(gathering, one, value);
        for (const one of del) gatherDel(gathering, one);
        for (const [one, fields] of Object.entries(patch)) gatherPatch(gathering, one, fields);
        const gathered = takeGathered(gathering);
        const frame = changeFrame(mine.devices.offset, gathered);
        await account.step({ set: gathered.whole, del: gathered.del, frame });
        if (attached) late = await attached;
      }
      const isLevel = ({ devices }: AccountStreams): boolean =>
        devices.offset === mine.devices.offset && devices.epoch === mine.devices.epoch;
      const copies = [early, late];
      await until(() => copies.every(isLevel));
      for (const { devices } of copies) expect(whole(devices)).toEqual(whole(mine.devices));
      expect(new Map(Object.entries(stateOf(mine.devices)))).toEqual(gathering.values);
      for (const copy of [...copies, mine]) copy.detach();
    }),
    { numRuns: 25 },
  );
  expect([...other.errors, ...third.errors]).toEqual([]);
});

test("[NODE-1] a position from one node resumes on another, with changes and removals", async () => {
  const [owner, other] = await startTwo();
  const accountId = accountOf(owner);
  const account = await owner.store.claim(accountId);
  const mine = await owner.store.attach(accountId);
  await account.step(stepFrom(0, { "sensor:1": { n: 1 }, "sensor:2": { n: 1 }, "sensor:3": { n: 1 } }));
  const position = { epoch: mine.devices.epoch, offset: 1 };
  await account.step(stepFrom(1, { "sensor:2": { n: 2 } }));
  await account.step(stepFrom(2, {}, ["sensor:3"]));
  await account.append(flipAt(owner.clock.now()));
  const theirs = await other.store.attach(accountId);
  expect(theirs.devices.changesSince(position)).toEqual({
    kind: "resume",
    epoch: position.epoch,
    from: 1,
    offset: 3,
    set: { "sensor:2": { n: 2 } },
    del: ["sensor:3"],
  });
  const events = { epoch: mine.events.epoch, offset: 0 };
  expect(theirs.events.eventsSince(events, 10)).toEqual(mine.events.eventsSince(events, 10));
  const received: string[] = [];
  theirs.events.listen((frame) => received.push(frame.bytes.toString()));
  const mineReceived: string[] = [];
  mine.events.listen((frame) => mineReceived.push(frame.bytes.toString()));
  await account.append(flipAt(owner.clock.now(), "sensor:9"));
  await until(() => received.length === 1);
  expect(received).toEqual(mineReceived);
});

test("[SUB-6] every node sends the owner's bytes", async () => {
  const [owner, other] = await startTwo();
  const accountId = accountOf(owner);
  const account = await owner.store.claim(accountId);
  const { devices } = await other.store.attach(accountId);
  const received: Frame[] = [];
  devices.listen((frame) => received.push(frame));
  const step = stepFrom(0, { "sensor:1": { name: "토양" } });
  await account.step(step);
  await until(() => received.length === 1);
  expect(received).toEqual([step.frame]);
});

test("[NODE-5] nodes share the shards, never own one twice, and take over at once what a drained one releases", async () => {
  const prefix = newPrefix();
  let twice = 0;
  const watch = setInterval(() => {
    for (let shard = 0; shard < SHARDS; shard += 1) {
      if (nodes.filter(({ store }) => store.shards.owns(shard)).length > 1) twice += 1;
    }
  }, 3);
  try {
    const [first, second, third] = [start(prefix), start(prefix), start(prefix)];
    await shareShards(first, second, third);
    for (const { store } of [first, second, third]) expect(store.shards.owned()).toBeLessThanOrEqual(86);
    const fourth = start(prefix);
    await shareShards(first, second, third, fourth);
    expect(fourth.store.shards.owned()).toBe(64);
    await fourth.store.shards.drain();
    expect(fourth.store.shards.owned()).toBe(0);
    await third.store.shards.drain();
    const left = [first, second];
    await until(() => left.reduce((sum, { store }) => sum + store.shards.owned(), 0) === SHARDS);
  } finally {
    clearInterval(watch);
  }
  expect(twice).toBe(0);
});

test("[NODE-5] a released shard is kept until its accounts are closed", async () => {
  const prefix = newPrefix();
  const first = start(prefix);
  await shareShards(first);
  const accountId = "a1";
  const account = await first.store.claim(accountId);
  const written: unknown[] = [];
  first.store.shards.onChange(async (shard, owned) => {
    if (owned || shard !== shardOf(accountId)) return;
    written.push(await account.step(stepFrom(0, { "sensor:1": { n: 1 } })));
  });
  const second = start(prefix);
  await shareShards(first, second);
  await first.store.shards.drain();
  await shareShards(second);
  expect(written).toEqual([{ kind: "written", offset: 1 }]);
  await expect(first.store.claim(accountId)).rejects.toMatchObject({ name: "StaleOwnerError" });
  await second.store.claim(accountId);
  const { devices } = await second.store.attach(accountId);
  expect(devices.changesSince(undefined)).toMatchObject({ offset: 1, state: { "sensor:1": { n: 1 } } });
});

test("[NODE-5] work for an account passes from any node to its owner once, and the answer back", async () => {
  const [owner, other] = await startTwo();
  const accountId = accountOf(owner);
  const work: unknown[] = [];
  owner.store.inbox.onMessage((account, message) => {
    work.push([account, message]);
    void owner.store.node.send(other.store.node.id, { done: true });
  });
  other.store.inbox.onMessage((account) => work.push(["wrong", account]));
  const received: unknown[] = [];
  other.store.node.onMessage((message, from) => received.push([message, from]));
  await other.store.inbox.send(accountId, { press: 1 });
  await until(() => received.length === 1);
  expect(work).toEqual([[accountId, { press: 1 }]]);
  expect(received).toEqual([[{ done: true }, owner.store.node.id]]);
});

test("[NODE-5] work expires when its owner does not get it in time", async () => {
  const [owner, other] = await startTwo();
  const accountId = accountOf(owner);
  const work: unknown[] = [];
  owner.store.inbox.onMessage((_, message) => work.push(message));
  other.clock.advance(-20_000);
  await other.store.inbox.send(accountId, { press: "late" });
  other.clock.advance(20_000);
  await other.store.inbox.send(accountId, { press: "now" });
  await until(() => work.length > 0);
  expect(work).toEqual([{ press: "now" }]);
});

test("[SUB-2] a node without viewers of an account stops copying it", async () => {
  const [owner, other] = await startTwo();
  const accountId = accountOf(owner);
  const account = await owner.store.claim(accountId);
  const one = await other.store.attach(accountId);
  const two = await other.store.attach(accountId);
  one.detach();
  one.detach();
  await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
  await until(() => two.devices.offset === 1);
  two.detach();
  await account.step(stepFrom(1, { "sensor:1": { n: 2 } }));
  const again = await other.store.attach(accountId);
  expect(again.devices.offset).toBe(2);
  expect(two.devices.offset).toBe(1);
});
