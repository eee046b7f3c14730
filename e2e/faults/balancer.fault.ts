import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { relayPath } from "@mulkko/shared/rest/routes";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SignedIn, signIn } from "../src/stack/account.ts";
import { type Balancer, startBalancer } from "../src/stack/haproxy.ts";
import { createLiveCopy } from "../src/stack/live-copy.ts";
import { openPlainDoor } from "../src/stack/plain-door.ts";
import { publishAsDevice } from "../src/stack/publish-as-device.ts";
import { openSocketIo } from "../src/stack/socketio-copy.ts";
import { type Cluster, type ClusterNode, startCluster } from "../src/stack/start-cluster.ts";

const SOIL_SERIAL = 24110101;
/** A relay that comes or goes is noticed within seconds; a busy machine may take longer to show it. */
const NOTICED = { timeout: 60_000, interval: 250 };

/** The topology of `docker-compose.yml` as processes: two relays over one Redis behind `ops/haproxy.cfg`. */
describe("two relays behind the load balancer", () => {
  let cluster: Cluster;
  let balancer: Balancer;
  let farmer: SignedIn;
  let soilKey: string;
  let marks = 30;
  beforeAll(async () => {
    cluster = await startCluster(2, { TRUST_PROXY: "127.0.0.1" });
    balancer = await startBalancer(
      cluster.nodes.map(({ url }) => url),
      { CLIENT_TIMEOUT: "4s" },
    );
    await allUp();
    farmer = await signIn(balancer.url, "farmer");
    const soil = (await farmer.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL);
    soilKey = `sensor:${soil?.id}`;
  });
  afterAll(async () => {
    await balancer?.stop();
    await cluster?.close();
  });

  const allUp = () =>
    vi.waitFor(
      async () => expect(await balancer.health()).toEqual({ "relay-1": "UP", "relay-2": "UP" }),
      NOTICED,
    );
  const nodeCalled = async (id: string): Promise<ClusterNode> => {
    for (const node of cluster.nodes) if ((await node.id()) === id) return node;
    throw new Error(`no relay is called ${id}`);
  };
  /** A reading that no other has. */
  const publishMark = async (): Promise<number> => {
    marks += 0.01;
    const mark = Math.round(marks * 100) / 100;
    const message = { moisture: mark, at: new Date(Date.now() + 30_000).toISOString() };
    await publishAsDevice(cluster, SOIL_SERIAL, JSON.stringify(message));
    return mark;
  };
  const nodeOfNewConnection = async (): Promise<string> => {
    const door = await openPlainDoor(balancer.url, farmer.token);
    const welcome = await door.waitFor(({ t }) => t === "welcome");
    door.close();
    return welcome.t === "welcome" ? welcome.node : "";
  };

  it("[NODE-1] a connection needs no stickiness: it may land on any relay, at both doors", async () => {
    const plain = new Set<string>();
    await expect
      .poll(async () => {
        plain.add(await nodeOfNewConnection());
        return plain.size;
      }, NOTICED)
      .toBe(2);
    const browsers = Array.from({ length: 4 }, () => openSocketIo(balancer.url, farmer.token));
    await expect.poll(() => new Set(browsers.map(({ nodes }) => nodes[0])), NOTICED).toEqual(plain);
    for (const browser of browsers) browser.close();
  });

  it("[NODE-1] when relays are killed one after the other both doors come back, and the copy misses nothing", async () => {
    const copy = createLiveCopy();
    await copy.connect(balancer.url, farmer.token);
    const browser = openSocketIo(balancer.url, farmer.token);
    await expect.poll(() => browser.nodes.length, NOTICED).toBe(1);
    const { snapshots } = copy;
    for (let round = 0; round < 2; round += 1) {
      const before = copy.node;
      const killed = await nodeCalled(before);
      const other = cluster.nodes.find((node) => node !== killed);
      await killed.service.kill();
      await copy.closed();
      const mark = await publishMark();
      // At once, not when the balancer has noticed: a connection that fails goes to the next relay.
      await copy.connect(balancer.url, farmer.token);
      expect(copy.node).toBe(await other?.id());
      await expect
        .poll(() => JSON.stringify(copy.state.get(soilKey)?.reading ?? null).includes(`:${mark}`), NOTICED)
        .toBe(true);
      await expect.poll(() => browser.nodes.at(-1), NOTICED).toBe(copy.node);
      await killed.service.start();
      await allUp();
    }
    expect(copy.snapshots).toBe(snapshots);
    expect(copy.broken).toEqual([]);
    expect(browser.nodes.length).toBeGreaterThan(1);
    copy.disconnect();
    browser.close();
  });

  it("[LIVE-1] a connection without traffic outlives the balancer's patience with silent clients", async () => {
    const door = await openPlainDoor(balancer.url, farmer.token);
    // 15 s of silence, where a client that is asked for nothing is left after 4 s.
    await door.waitFor(({ t }) => t === "beat", 60_000);
    await door.waitFor(({ t }) => t === "link");
    door.send({ t: "subscribe", stream: "events" });
    await door.waitFor(({ t }) => t === "snapshot");
    door.close();
  });

  it("[limits] the relay knows a client's own address, and believes no client about it", async () => {
    const from = "127.0.0.77";
    const path = "/relay/config?seen-from-afar";
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(balancer.url);
      const headers = { "x-forwarded-for": "203.0.113.9", "x-request-id": "from-afar" };
      const asked = request({ host: "127.0.0.1", port, path, localAddress: from, headers }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode));
      });
      asked.once("error", reject);
      asked.end();
    });
    expect(status).toBe(200);
    const line = () =>
      cluster.nodes
        .flatMap(({ service }) => service.output().split("\n"))
        .find((text) => text.includes('"traceId":"from-afar"'));
    await expect.poll(line).toContain(`"address":"${from}"`);
    expect(line()).not.toContain("203.0.113.9");
    expect(line()).not.toContain("seen-from-afar");
  });

  it("[LIVE-3] a relay that is stopped takes itself out, and no request fails meanwhile", async () => {
    const copy = createLiveCopy();
    await copy.connect(balancer.url, farmer.token);
    const stopped = await nodeCalled(copy.node);
    const { snapshots } = copy;
    const statuses: number[] = [];
    let over = false;
    const asking = (async () => {
      while (!over) {
        statuses.push((await fetch(balancer.url + relayPath.config)).status);
        await sleep(20);
      }
    })();
    await stopped.service.stop();
    expect(await copy.closed()).toBe(4001);
    await copy.connect(balancer.url, farmer.token);
    expect(copy.snapshots).toBe(snapshots);
    await expect
      .poll(async () => Object.values(await balancer.health()).sort(), NOTICED)
      .toEqual(["DOWN", "UP"]);
    over = true;
    await asking;
    expect(statuses.length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await stopped.service.start();
    await allUp();
    copy.disconnect();
  });

  it("[NODE-3] with Redis frozen no relay is ready, and the balancer still lets people in", async () => {
    await cluster.redis.freeze();
    try {
      await expect.poll(() => balancer.health(), NOTICED).toEqual({ "relay-1": "DOWN", "relay-2": "DOWN" });
      await expect.poll(async () => (await fetch(balancer.url + relayPath.config)).status, NOTICED).toBe(200);
    } finally {
      await cluster.redis.thaw();
    }
    await allUp();
  });

  it("[secrecy] what relays say of themselves is not for people", async () => {
    for (const path of [relayPath.metrics, relayPath.ready])
      expect((await fetch(balancer.url + path)).status).toBe(404);
  });
});
