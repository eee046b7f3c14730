import { setTimeout as sleep } from "node:timers/promises";
import { relayPath } from "@mulkko/shared/rest/routes";
import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { ownerOf } from "@mulkko/testing/stack/lease";
import { createLiveCopy, type LiveCopy } from "@mulkko/testing/stack/live-copy";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Cluster, startCluster } from "@mulkko/testing/stack/start-cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOIL_SERIAL = 24110101;
const AWAY_MS = 60_000;
/** LIVE-4: a subscription that died silently heals within this time. */
const HEALED = { timeout: 40_000, interval: 100 };
const BACK = { timeout: 60_000, interval: 250 };

/** Two relays, each with its own connection to Redis that can die silently. */
describe("Redis away for a minute", () => {
  let cluster: Cluster;
  const ways: TcpProxy[] = [];
  let farmer: SignedIn;
  let soilKey: string;
  let accountId: string;
  let copies: LiveCopy[] = [];
  let marks = 30;
  beforeAll(async () => {
    cluster = await startCluster(2, {}, async (_index, { redisUrl }) => {
      const way = await startTcpProxy(redisUrl);
      ways.push(way);
      return { REDIS_URL: `redis://127.0.0.1:${way.port}` };
    });
    farmer = await signIn(cluster.apiUrl, "farmer");
    const soil = (await farmer.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL);
    soilKey = `sensor:${soil?.id}`;
    accountId = String(soil?.userId);
    copies = await Promise.all(
      cluster.nodes.map(async ({ url }) => {
        const copy = createLiveCopy();
        await copy.connect(url, farmer.token);
        return copy;
      }),
    );
  });
  afterAll(async () => {
    for (const copy of copies) copy.disconnect();
    await cluster?.close();
    await Promise.all(ways.map((way) => way.close()));
  });

  /** The relay that owns the account, and its connection to Redis; the other relay copies. */
  const roles = async (): Promise<{ owner: number; copies: number }> => {
    let owner = -1;
    await expect
      .poll(async () => {
        const found = await ownerOf(cluster, accountId);
        owner = found ? cluster.nodes.indexOf(found) : -1;
        return owner;
      }, BACK)
      .toBeGreaterThanOrEqual(0);
    return { owner, copies: 1 - owner };
  };
  /** Return a unique reading. */
  const publishMark = async (): Promise<number> => {
    marks += 0.01;
    const mark = Math.round(marks * 100) / 100;
    const message = { moisture: mark, at: new Date(Date.now() + 30_000).toISOString() };
    await publishAsDevice(cluster, SOIL_SERIAL, JSON.stringify(message));
    return mark;
  };
  const shows = (copy: LiveCopy, mark: number): boolean =>
    JSON.stringify(copy.state.get(soilKey)?.reading ?? null).includes(`:${mark}`);
  const ready = (): Promise<number[]> =>
    Promise.all(cluster.nodes.map(async ({ url }) => (await fetch(url + relayPath.ready)).status));
  const contentOf = (copy: LiveCopy): string =>
    JSON.stringify([...copy.state].sort(([a], [b]) => a.localeCompare(b)));
  /** Wait until everything is as before: both relays send a new publication, and equal states. */
  const allWell = async (): Promise<void> => {
    await expect
      .poll(async () => {
        const mark = await publishMark();
        await sleep(1_000);
        return copies.every((copy) => shows(copy, mark));
      }, BACK)
      .toBe(true);
    await expect.poll(ready, BACK).toEqual([200, 200]);
    await expect.poll(() => new Set(copies.map(contentOf)).size, BACK).toBe(1);
    expect(copies.flatMap(({ broken }) => broken)).toEqual([]);
  };
  const connections = () => copies.map(({ connections: count }) => count);

  it("[LIVE-4] heals a subscription whose socket died silently within 40 s", async () => {
    await allWell();
    const { copies: deaf } = await roles();
    ways[deaf]?.deaden((sent) => sent.includes("subscribe"));
    const mark = await publishMark();
    await expect.poll(() => copies.some((copy) => shows(copy, mark))).toBe(true);
    expect(copies.filter((copy) => shows(copy, mark))).toHaveLength(1);
    await expect.poll(() => copies.every((copy) => shows(copy, mark)), HEALED).toBe(true);
    await allWell();
    expect(connections()).toEqual([1, 1]);
  });

  it("[NODE-3] loses no connection and no value when frozen for 60 s", async () => {
    await cluster.redis.freeze();
    try {
      await expect.poll(ready, BACK).toEqual([503, 503]);
      await sleep(AWAY_MS);
      expect(await ready()).toEqual([503, 503]);
      for (const { url } of cluster.nodes) expect((await fetch(url + relayPath.health)).status).toBe(200);
    } finally {
      await cluster.redis.thaw();
    }
    await allWell();
    expect(connections()).toEqual([1, 1]);
  });

  it("[NODE-3] black-holed for 60 s for the owner: the other relay continues, and the owner catches up afterwards", async () => {
    const { owner: away, copies: there } = await roles();
    ways[away]?.swallow();
    const statuses = [there, away].map((_, index) => (index === away ? 503 : 200));
    await expect.poll(ready, BACK).toEqual(statuses);
    await expect
      .poll(async () => {
        const mark = await publishMark();
        await sleep(1_000);
        const copy = copies[there];
        return copy !== undefined && shows(copy, mark);
      }, BACK)
      .toBe(true);
    await sleep(AWAY_MS);
    expect(await ready()).toEqual(statuses);
    ways[away]?.pass();
    await allWell();
    expect(connections()).toEqual([1, 1]);
  });
});
