import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { relayPath } from "@mulkko/shared/rest/routes";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Balancer, startBalancer } from "@mulkko/testing/stack/haproxy";
import { createLiveCopy } from "@mulkko/testing/stack/live-copy";
import { openPlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openSocketIo } from "@mulkko/testing/stack/socketio-copy";
import { type Cluster, type ClusterNode, startCluster } from "@mulkko/testing/stack/start-cluster";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const SOIL_SERIAL = 24110101;
/** A relay that starts or stops is noticed within seconds; a busy machine may take longer. */
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
  /** Return a unique reading. */
  const publishMark = async (): Promise<number> => {
    marks += 0.01;
    const mark = Math.round(marks * 100) / 100;
    const message = { moisture: mark, at: new Date(Date.now() + 30_000).toISOString() };
    await publishAsDevice(cluster, SOIL_SERIAL, JSON.stringify(message));
    return mark;
  };
  const nodeOfNewConnection = async (): Promise<string> => {
    const webSocket = await openPlainWebSocket(balancer.url, farmer.token);
    const welcome = await webSocket.waitFor(({ t }) => t === "welcome");
    webSocket.close();
    return welcome.t === "welcome" ? welcome.node : "";
  };

  it("[NODE-1] needs no stickiness: a connection may reach any relay, over both transports", async () => {
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

  it("[NODE-1] lets polling connections reach any relay, and keeps the requests of each where it was opened", async () => {
    const browsers = Array.from({ length: 6 }, () => openSocketIo(balancer.url, farmer.token, "polling"));
    await expect.poll(() => browsers.filter(({ nodes }) => nodes.length > 0).length, NOTICED).toBe(6);
    expect(new Set(browsers.map(({ nodes }) => nodes[0])).size).toBe(2);
    // Longer than two beats, and than the balancer's timeout for silent clients.
    await sleep(35_000);
    // A request at another relay would have ended its connection, and the client would have opened a new one.
    expect(browsers.map(({ nodes }) => nodes.length)).toEqual(browsers.map(() => 1));
    for (const browser of browsers) browser.close();
  });

  it("[NODE-1] reconnects a polling connection at the other relay when its own is killed, and back again", async () => {
    const browser = openSocketIo(balancer.url, farmer.token, "polling");
    await expect.poll(() => browser.nodes.length, NOTICED).toBe(1);
    for (let round = 0; round < 2; round += 1) {
      const before = browser.nodes.at(-1) ?? "";
      const killed = await nodeCalled(before);
      const other = cluster.nodes.find((node) => node !== killed);
      await killed.service.kill();
      await expect.poll(() => browser.nodes.at(-1), NOTICED).toBe(await other?.id());
      await killed.service.start();
      await allUp();
    }
    browser.close();
  });

  it("[LIVE-3] sends `bye` to a polling connection of a relay that is stopped", async () => {
    const browser = openSocketIo(balancer.url, farmer.token, "polling");
    await expect.poll(() => browser.nodes.length, NOTICED).toBe(1);
    const stopped = await nodeCalled(browser.nodes[0] ?? "");
    await stopped.service.stop();
    await expect.poll(() => browser.farewells, NOTICED).toEqual([4001]);
    await expect.poll(() => browser.nodes.length, NOTICED).toBe(2);
    browser.close();
    await stopped.service.start();
    await allUp();
  });

  it("[NODE-1] reconnects both transports when relays are killed one after the other, and the copy misses nothing", async () => {
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
      // At once, not after the balancer's check: a failed connection is tried at the next relay.
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

  it("[LIVE-1] keeps a connection without traffic beyond the balancer's timeout for silent clients", async () => {
    const webSocket = await openPlainWebSocket(balancer.url, farmer.token);
    // 15 s of silence, while a silent client without a pending request is dropped after 4 s.
    await webSocket.waitFor(({ t }) => t === "beat", 60_000);
    await webSocket.waitFor(({ t }) => t === "link");
    webSocket.send({ t: "subscribe", stream: "events" });
    await webSocket.waitFor(({ t }) => t === "snapshot");
    webSocket.close();
  });

  it("[limits] knows a client's own address, and trusts no address that a client claims", async () => {
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

  it("[LIVE-3] takes a stopped relay out without a failed request", async () => {
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

  it("[NODE-3] reports no relay as ready with Redis frozen, and the balancer still accepts users", async () => {
    await cluster.redis.freeze();
    try {
      await expect.poll(() => balancer.health(), NOTICED).toEqual({ "relay-1": "DOWN", "relay-2": "DOWN" });
      await expect.poll(async () => (await fetch(balancer.url + relayPath.config)).status, NOTICED).toBe(200);
    } finally {
      await cluster.redis.thaw();
    }
    await allUp();
  });

  it("[secrecy] hides the relays' internal routes from users", async () => {
    for (const path of [relayPath.metrics, relayPath.ready])
      expect((await fetch(balancer.url + path)).status).toBe(404);
  });
});
