import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { startTcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPrefix, shareShards, startNode } from "../../../testing/redis-harness.ts";
import { until } from "../../../testing/until.ts";
import { flipAt, stepFrom } from "../contract.suite.ts";
import { shardOf } from "../shard.ts";
import type { Frame } from "../streams.ts";

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

test("[SUB-2] a publication between the read of the state and its arrival is neither lost nor applied twice", async () => {
  const prefix = newPrefix();
  const proxy = await startTcpProxy(redis.url);
  const owner = startNode(redis.url, prefix);
  const other = startNode(`redis://127.0.0.1:${proxy.port}`, prefix);
  try {
    await shareShards(owner, other);
    const of = (n: number): string => `a${n}`;
    const ids = Array.from({ length: 1_000 }, (_, n) => of(n)).filter((id) =>
      owner.store.shards.owns(shardOf(id)),
    );
    const [earlier = "", id = ""] = ids;
    // Only the subscriber's connection sends these bytes; the connection for commands never does.
    await owner.store.claim(earlier);
    await other.store.attach(earlier);
    const account = await owner.store.claim(id);
    const mine = await owner.store.attach(id);
    await account.step(stepFrom(0, { "sensor:1": { n: 1 }, "sensor:2": { n: 1 } }));
    await account.append(flipAt(owner.store.now()));

    proxy.swallowAnswersOf((sent) => !sent.includes("subscribe"));
    let isFilled = false;
    const attaching = other.store.attach(id).then((streams) => {
      isFilled = true;
      return streams;
    });
    // Many more than fit into the time of the read, which Redis answered before the first of them.
    for (let n = 1; n <= 40; n += 1) {
      const del = n === 20 ? ["sensor:2"] : [];
      await account.step(stepFrom(n, { "sensor:1": { n: n + 1 }, [`sensor:1${n}`]: { n } }, del));
      await account.append(flipAt(owner.store.now(), `sensor:${n}`));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(isFilled).toBe(false);
    proxy.pass();
    const copy = await attaching;
    const received: Frame[] = [];
    copy.devices.listen((frame) => received.push(frame));
    await until(() => copy.devices.offset === 41 && copy.events.offset === 41);
    await account.step(stepFrom(41, { "sensor:1": { n: 42 } }));
    await until(() => copy.devices.offset === 42);
    expect(copy.devices.changesSince(undefined)).toEqual(mine.devices.changesSince(undefined));
    const { epoch } = mine.devices;
    for (let offset = 0; offset <= 42; offset += 1) {
      expect(copy.devices.changesSince({ epoch, offset })).toEqual(
        mine.devices.changesSince({ epoch, offset }),
      );
    }
    const all = { epoch: mine.events.epoch, offset: 0 };
    expect(copy.events.eventsSince(all, 100)).toEqual(mine.events.eventsSince(all, 100));
    // The steps arrive one after the other, from the copy's offset.
    for (const [n, frame] of received.entries()) if (n > 0) expect(frame.from).toBe(received[n - 1]?.offset);
    expect([...owner.errors, ...other.errors]).toEqual([]);
  } finally {
    await Promise.all([owner.store.close(), other.store.close()]);
    await proxy.close();
  }
});
