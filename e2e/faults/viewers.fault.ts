import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type CountingProxy, startCountingProxy } from "@mulkko/testing/stack/counting-proxy";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Cluster, startCluster } from "@mulkko/testing/stack/start-cluster";
import { openViewers, type Viewers } from "@mulkko/testing/stack/viewers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOIL_SERIAL = 24110101;
/** Maximum number of sessions that two relays accept of one account. */
const VIEWERS = 2_000;
/** Interval of every counted unit. */
const INTERVAL_MS = 5_000;
/** Number of counted intervals. */
const ROUNDS = 6;
const MARK = 41.37;
const WITHIN = { timeout: 120_000, interval: 250 };

/** Two relays without MQTT: every value is polled. */
describe("an account with 2,000 viewers, over two relays", () => {
  let cluster: Cluster;
  let proxy: CountingProxy;
  let farmer: SignedIn;
  let farmerId: string;
  const viewers: Viewers[] = [];
  beforeAll(async () => {
    const interval = String(INTERVAL_MS);
    cluster = await startCluster(
      2,
      {
        RELAY_MQTT_URL: "off",
        POLL_LIST_MS: interval,
        POLL_LIST_UNWATCHED_MS: interval,
        POLL_SENSOR_MS: interval,
        POLL_CHANNEL_MS: interval,
      },
      async (_index, { apiUrl }) => {
        proxy ??= await startCountingProxy(apiUrl);
        return { API_URL: proxy.url };
      },
    );
    farmer = await signIn(cluster.apiUrl, "farmer");
    farmerId = String((await farmer.sensors())[0]?.userId);
  });
  afterAll(async () => {
    for (const each of viewers) each.close();
    await cluster?.close();
    await proxy?.close();
  });

  const urls = (): string[] => cluster.nodes.map(({ url }) => url);
  /** Number of requests of each unit while the list of sensors was requested `ROUNDS` times. */
  const countRounds = async (): Promise<Map<string, number>> => {
    const from = proxy.asked.length;
    // The relay polls the other accounts with valves, too.
    const ofFarmer = () => proxy.asked.slice(from).filter(({ account }) => account === farmerId);
    const lists = () => ofFarmer().filter(({ path }) => path === sensorList.path);
    await expect.poll(() => lists().length, WITHIN).toBeGreaterThan(ROUNDS);
    const [first, end] = [lists()[0]?.at ?? 0, lists()[ROUNDS]?.at ?? 0];
    const counts = new Map<string, number>();
    for (const { path, at } of ofFarmer()) {
      // A log's range moves with the time.
      const unit = path.replace(/(\/ch\/\d+)\/.*$/, "$1");
      if (at >= first && at < end) counts.set(unit, (counts.get(unit) ?? 0) + 1);
    }
    return counts;
  };

  it("[POLL-1] sends the farm API as many requests for 2,000 viewers as for one", async () => {
    viewers.push(await openViewers(urls(), 1, farmer.token));
    // The first round fills values that were never requested before.
    await countRounds();
    const alone = await countRounds();
    // The other relay first: each takes half of them, including the one from before.
    viewers.push(await openViewers(urls().reverse(), VIEWERS - 1, farmer.token));
    const together = await countRounds();
    const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
    console.info(
      `in ${ROUNDS} intervals: ${sum(alone)} requests for 1 viewer, ${sum(together)} for ${VIEWERS}; ${alone.size} units`,
    );
    expect(alone.size).toBeGreaterThan(20);
    // A unit's moment may lie on either side of the start and end of the count.
    for (const path of new Set([...alone.keys(), ...together.keys()])) {
      const [before, after] = [alone.get(path) ?? 0, together.get(path) ?? 0];
      expect([path, Math.abs(after - before) <= 1]).toEqual([path, true]);
    }
    expect(viewers.map((each) => each.gone())).toEqual([0, 0]);
  });

  it("[SUB-6] delivers a reading that was polled once to each of them", async () => {
    const counts = viewers.map((each) => each.countWhoSees(`:${MARK}`));
    const message = { moisture: MARK, at: new Date(Date.now() + 30_000).toISOString() };
    await publishAsDevice(cluster, SOIL_SERIAL, JSON.stringify(message));
    await expect.poll(() => counts.reduce((sum, count) => sum + count(), 0), WITHIN).toBe(VIEWERS);
  });
});
