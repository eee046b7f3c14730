import { topic } from "@mulkko/shared/mqtt/topics";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openPlaces } from "../places.ts";
import { SOIL, startTestFarm, type TestFarm } from "../test-farm.ts";
import { type FaultyLine, openFaultyLine } from "./faulty-line.ts";

const FIRST = Date.UTC(2026, 8, 1);
/** More readings than one batch while the database is unavailable. */
const COUNT = 200;
const WAIT = { timeout: 40_000, interval: 50 };
vi.setConfig({ testTimeout: 90_000 });

const places = await openPlaces();
const place = await places.create("postgres");
let line: FaultyLine;
let farm: TestFarm;
let bearer: { authorization: string };
let device: MqttClient;
let sent = 0;

beforeAll(async () => {
  const url = new URL(place.url ?? "");
  line = await openFaultyLine({ host: url.hostname, port: Number(url.port) });
  url.port = String(line.port);
  farm = await startTestFarm({ DATABASE_URL: url.href });
  bearer = { authorization: (await farm.signIn("farmer-one")).authorization };
  device = await farm.connect(SOIL, { reconnectPeriod: 200 });
});
afterAll(async () => {
  line.become("whole");
  await farm.close();
  await line.close();
  await places.close();
});

const list = () => farm.app.inject({ url: sensorList.path, headers: bearer });
const stored = async (): Promise<number | undefined> =>
  (await farm.app.database.query<{ count: number }>("select count(*) as count from reading"))[0]?.count;

/** Wait for an answer of `/ready`. The database is tested every five seconds of the farm's clock. */
const untilReady = (answer: object): Promise<void> =>
  vi.waitFor(async () => {
    farm.clock.advance(5_000);
    expect((await farm.app.inject("/ready")).json()).toMatchObject(answer);
  }, WAIT);

/** Publish this many readings and count the acknowledgements. */
function publish(count: number): { acknowledged: number } {
  const progress = { acknowledged: 0 };
  for (let n = 0; n < count; n += 1) {
    const body = { at: new Date(FIRST + sent * 60_000).toISOString(), moisture: 30 };
    sent += 1;
    device.publish(topic.up(SOIL.serial), JSON.stringify(body), { qos: 1 }, (error) => {
      if (!error) progress.acknowledged += 1;
    });
  }
  return progress;
}

describe.each(["cut", "silent"] as const)("[database] postgres whose line is %s", (fault) => {
  test("[database] during an outage calls answer 503 and nothing is acknowledged; afterwards everything is stored once", async () => {
    const before = publish(COUNT);
    await vi.waitFor(() => expect(before.acknowledged).toBe(COUNT), WAIT);
    expect(await stored()).toBe(sent);

    line.become(fault);
    const during = publish(COUNT);
    const answers = await Promise.all([list(), list(), list()]);
    for (const answer of answers) {
      expect(answer.json()).toMatchObject({ status: 503, code: "database-down" });
      expect(answer.statusCode).toBe(503);
      expect(answer.headers["retry-after"]).toBe("5");
    }
    await untilReady({ ready: false, database: false });
    expect((await farm.app.inject("/health")).statusCode).toBe(200);
    expect(during.acknowledged).toBe(0);

    line.become("whole");
    await vi.waitFor(() => expect(during.acknowledged).toBe(COUNT), WAIT);
    expect(await stored()).toBe(sent);
    await vi.waitFor(async () => expect((await list()).statusCode).toBe(200), WAIT);
    await untilReady({ database: true });
  });
});
