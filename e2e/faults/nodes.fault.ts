import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Asked, type CountingProxy, startCountingProxy } from "@mulkko/testing/stack/counting-proxy";
import { type FencedWrite, type FenceWatch, watchFences } from "@mulkko/testing/stack/fence-watch";
import { ownerOf, shardOf } from "@mulkko/testing/stack/lease";
import { createLiveCopy, type LiveCopy } from "@mulkko/testing/stack/live-copy";
import { openPlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Cluster, type ClusterNode, startCluster } from "@mulkko/testing/stack/start-cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOIL_SERIAL = 24110101;
/** Interval of every unit that this scenario counts. */
const INTERVAL_MS = 6_000;
/** NODE-5: a lease, and the time until a new owner works. */
const LEASE_MS = 6_000;
const TAKEOVER_MS = 10_000;
const WITHIN = { timeout: 60_000, interval: 250 };
/** Offsets of the relays' wall clocks: one is right, one a minute ahead, one a minute behind. */
const AHEAD_MS = [0, 60_000, -60_000];
/** Far less than that, and enough for a busy machine. */
const NEAR_MS = 25_000;
const SHIFTED = pathToFileURL(join(import.meta.dirname, "../../testing/stack/shifted-clock.ts")).href;

/** Three relays without MQTT, so that every value is polled, whose clocks disagree by two minutes. */
describe("nodes that start, stop, hang and have wrong clocks", () => {
  let cluster: Cluster;
  const proxies: CountingProxy[] = [];
  /** Requests of all relays, in order. */
  const allAsked: Asked[] = [];
  let fences: FenceWatch;
  let farmer: SignedIn;
  let accountId: string;
  let soilId: string;
  let controllerId: string;
  let witness: LiveCopy;
  let marks = 30;

  beforeAll(async () => {
    cluster = await startCluster(
      AHEAD_MS.length,
      {
        RELAY_MQTT_URL: "off",
        POLL_LIST_MS: String(INTERVAL_MS),
        POLL_LIST_UNWATCHED_MS: String(INTERVAL_MS),
        POLL_SENSOR_MS: String(INTERVAL_MS),
        POLL_CHANNEL_MS: String(INTERVAL_MS),
      },
      async (index, { apiUrl }) => {
        const proxy = await startCountingProxy(apiUrl, `relay ${index + 1}`, allAsked);
        proxies.push(proxy);
        const options = `--import ${SHIFTED}`;
        return { API_URL: proxy.url, NODE_OPTIONS: options, CLOCK_AHEAD_MS: String(AHEAD_MS[index] ?? 0) };
      },
    );
    fences = await watchFences(cluster.redis.url);
    farmer = await signIn(cluster.apiUrl, "farmer");
    const soil = (await farmer.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL);
    soilId = String(soil?.id);
    accountId = String(soil?.userId);
    controllerId = String((await farmer.controllers()).find(({ type }) => type === "CON04V")?.id);
    witness = createLiveCopy();
  });
  afterAll(async () => {
    witness?.disconnect();
    fences?.close();
    await cluster?.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  const node = (index: number): ClusterNode => {
    const found = cluster.nodes[index];
    if (!found) throw new Error(`there is no relay ${index}`);
    return found;
  };
  const owner = async (): Promise<ClusterNode> => {
    let found: ClusterNode | undefined;
    await expect
      .poll(async () => {
        found = await ownerOf(cluster, accountId);
        return found !== undefined;
      }, WITHIN)
      .toBe(true);
    return found ?? node(0);
  };
  const notOwner = async (): Promise<ClusterNode> => {
    const mine = await owner();
    return cluster.nodes.find((each) => each !== mine && each.service.running()) ?? node(0);
  };
  /** Return a unique reading. */
  const publishMark = async (): Promise<number> => {
    marks += 0.01;
    const mark = Math.round(marks * 100) / 100;
    const message = { moisture: mark, at: new Date(Date.now() + 30_000).toISOString() };
    await publishAsDevice(cluster, SOIL_SERIAL, JSON.stringify(message));
    return mark;
  };
  /** Wait until a unique reading reaches all of them; the demo's own may replace it before it is polled. */
  const showSoon = async (...copies: LiveCopy[]): Promise<void> => {
    await expect
      .poll(
        async () => {
          const mark = await publishMark();
          await sleep(INTERVAL_MS);
          const shown = copies.map(({ state }) => JSON.stringify(state.get(`sensor:${soilId}`)?.reading));
          return shown.every((reading) => reading.includes(`:${mark}`));
        },
        { ...WITHIN, timeout: 120_000 },
      )
      .toBe(true);
  };
  /**
   * Return the units that were requested less than half an interval after the previous time, since an index
   * of `allAsked`.
   */
  const askedTooSoon = (since: number): string[] => {
    const before = new Map<string, Asked>();
    const found: string[] = [];
    for (const one of allAsked.slice(since)) {
      const { method, path, account, at, by } = one;
      const isUnit = path === sensorList.path || /\/(latest\/mqtt|refresh)$/.test(path);
      if (method !== "GET" || !isUnit) continue;
      const unit = `${path} of ${account}`;
      const last = before.get(unit);
      if (last !== undefined && at - last.at < INTERVAL_MS / 2) {
        found.push(`${path} by ${by}, ${Math.round(at - last.at)} ms after ${last.by}`);
      }
      before.set(unit, one);
    }
    return found;
  };
  const asked = (path: string): number =>
    allAsked.filter((one) => one.path === path && one.account === accountId).length;
  /** Writes of the account's owners. Fences of other shards count on their own. */
  const writes = async (): Promise<FencedWrite[]> => {
    const mine = await shardOf(cluster, accountId);
    return fences.writes.filter(({ shard }) => shard === mine);
  };
  /** Redis's own time between a moment and the first write of the next owner, ms. */
  const takeoverMs = async (since: number, after: number): Promise<number> => {
    const next = async () => (await writes()).find(({ at, fence }) => at >= since && fence > after);
    await expect.poll(async () => (await next()) !== undefined, WITHIN).toBe(true);
    return ((await next())?.at ?? Number.POSITIVE_INFINITY) - since;
  };
  const newestFence = async (): Promise<number> => Math.max(...(await writes()).map(({ fence }) => fence));

  let since = 0;
  it("[POLL-1] three relays poll as one, with any clocks", async () => {
    for (const [index, { url, service }] of cluster.nodes.entries()) {
      const webSocket = await openPlainWebSocket(url, farmer.token);
      const welcome = await webSocket.waitFor(({ t }) => t === "welcome");
      webSocket.close();
      const serverTime = welcome.t === "welcome" ? Date.parse(welcome.serverTime) : 0;
      const ownClock = Number([...service.output().matchAll(/"time":(\d+)/g)].at(-1)?.[1]);
      // Its log has the machine's wrong time; its clients get the time of all relays.
      expect(Math.abs(ownClock - serverTime - (AHEAD_MS[index] ?? 0))).toBeLessThan(NEAR_MS);
      expect(Math.abs(serverTime - Date.now())).toBeLessThan(NEAR_MS);
    }
    await witness.connect(node(0).url, farmer.token);
    await showSoon(witness);
    const copies = await Promise.all(
      cluster.nodes.map(async ({ url }) => {
        const copy = createLiveCopy();
        await copy.connect(url, farmer.token);
        return copy;
      }),
    );
    since = allAsked.length;
    const lists = asked(sensorList.path);
    await expect.poll(() => asked(sensorList.path) - lists, WITHIN).toBeGreaterThanOrEqual(3);
    await showSoon(...copies);
    expect(new Set(copies.map(({ position }) => position?.epoch)).size).toBe(1);
    expect(askedTooSoon(since)).toEqual([]);
    for (const copy of copies) copy.disconnect();
  });

  it("[NODE-5] an owner that is killed is replaced within 10 s, and no request is repeated", async () => {
    const [killed, elsewhere] = [await owner(), await notOwner()];
    await moveTo(elsewhere);
    const [fence, at] = [await newestFence(), await fences.now()];
    await killed.service.kill();
    expect(await takeoverMs(at, fence)).toBeLessThanOrEqual(TAKEOVER_MS);
    await showSoon(witness);
    await killed.service.start();
    expect(witness.broken).toEqual([]);
    expect(askedTooSoon(since)).toEqual([]);
  });

  it("[NODE-5] an owner that hangs for longer than its lease writes and requests nothing when it continues", async () => {
    const [hung, elsewhere] = [await owner(), await notOwner()];
    await moveTo(elsewhere);
    const hungId = await hung.id();
    const [fence, at] = [await newestFence(), await fences.now()];
    hung.freeze();
    expect(await takeoverMs(at, fence)).toBeLessThanOrEqual(TAKEOVER_MS);
    await showSoon(witness);
    const thawedAt = await fences.now();
    hung.thaw();
    // It counts again once it has read the present state.
    await expect.poll(() => hung.id(), WITHIN).toBe(hungId);
    // Requests that were on their way when it was stopped may still arrive (NODE-5); after that none does.
    since = allAsked.length;
    await showSoon(witness);
    await expect
      .poll(async () => (await writes()).at(-1)?.at ?? 0, WITHIN)
      .toBeGreaterThan(thawedAt + LEASE_MS);
    const late = (await writes()).filter(
      (one) => one.at >= thawedAt && one.node === hungId && one.fence <= fence,
    );
    expect(late).toEqual([]);
    expect(askedTooSoon(since)).toEqual([]);
    expect(witness.broken).toEqual([]);
  });

  it("[LIVE-3] an owner that leaves hands over, and one that joins takes its share", async () => {
    const [leaving, elsewhere] = [await owner(), await notOwner()];
    await moveTo(elsewhere);
    const [fence, at] = [await newestFence(), await fences.now()];
    await leaving.service.stop();
    expect(await takeoverMs(at, fence)).toBeLessThanOrEqual(TAKEOVER_MS);
    await showSoon(witness);
    await leaving.service.start();
    await showSoon(witness);
    expect(askedTooSoon(since)).toEqual([]);
    expect(witness.broken).toEqual([]);
  });

  it("[CMD-2] a valve opens and closes through relays whose clocks are two minutes apart", async () => {
    const channel = () =>
      [...witness.state.values()].find((value) => value.controllerId === controllerId && value.number === 1);
    for (const [index, payload] of [
      [1, 1],
      [2, 2],
    ] as const) {
      const body = { uuid: controllerId, command: "onoff", channel: 1, payload, maxRunSeconds: 300 };
      const answer = await fetch(node(index).url + controllerCommand.path, {
        method: "POST",
        headers: { authorization: `Bearer ${farmer.token}`, "content-type": "application/json" },
        body: JSON.stringify(payload === 1 ? body : { ...body, maxRunSeconds: undefined }),
      });
      expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
      await expect.poll(() => channel()?.onoff, WITHIN).toBe(payload);
    }
  });

  it("[NODE-5] no older fence wrote after a newer one in all of these tests", async () => {
    const newest = new Map<string, number>();
    const stale: unknown[] = [];
    for (const write of fences.writes) {
      const known = newest.get(write.shard) ?? 0;
      if (write.fence < known) stale.push(write);
      newest.set(write.shard, Math.max(known, write.fence));
    }
    expect(stale).toEqual([]);
    // The account has had several owners, and each of them wrote.
    const owners = new Set((await writes()).map(({ fence }) => fence));
    expect(owners.size).toBeGreaterThanOrEqual(4);
    console.info(
      `owners: ${owners.size}; writes: ${fences.writes.length}; refused: ${fences.refused.length}`,
    );
  });

  /** Move the observing client to a relay that stays. */
  async function moveTo(elsewhere: ClusterNode): Promise<void> {
    witness.disconnect();
    await witness.connect(elsewhere.url, farmer.token);
    await showSoon(witness);
  }
});
