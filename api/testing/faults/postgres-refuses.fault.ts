import { topic } from "@mulkko/shared/mqtt/topics";
import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { type PostgresPair, startPostgresPair } from "@mulkko/testing/engines/postgres";
import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import type { Reading } from "../../src/history/reading.ts";
import { emptyReport } from "../../src/import/report.ts";
import { createReadingWriter } from "../../src/import/store.ts";
import { storeReadings } from "../../src/ingest/reading-store.ts";
import { SOIL, startTestFarm, type TestFarm, VALVES, WEATHER } from "../test-farm.ts";
import { openUnreachable, type Unreachable } from "./unreachable.ts";

const FIRST = Date.UTC(2026, 8, 1);
/** Readings during each fault: more than one batch, as several arrive while a write fails. */
const COUNT = 60;
/** Duration of a fault, ms: several attempts of every sender. */
const FAULT_MS = 4_000;
const WAIT = { timeout: 60_000, interval: 50 };
vi.setConfig({ testTimeout: 150_000, hookTimeout: 90_000 });

/** A farm and its devices, over either broker. */
interface Way {
  readonly farm: TestFarm;
  readonly sensor: MqttClient;
  readonly controller: MqttClient;
  readonly bearer: { authorization: string };
}

let pair: PostgresPair;
let proxy: TcpProxy;
let network: Unreachable;
/** The superuser at the server that the farms use, in the database of each farm. */
let admins: Database[];
const ways: Way[] = [];
const closing: (() => Promise<unknown>)[] = [];
let sent = 0;
let turns = 0;
let farms = 0;
const nextFarm = (): number => {
  farms += 1;
  return farms;
};

const ofDatabase = (url: string, name: string): string => url.replace(/\/postgres$/, `/${name}`);

async function openWay(name: string, brokerUrl: string | undefined): Promise<Way> {
  const url = new URL(ofDatabase(pair.primary.url, name));
  url.username = "farm";
  url.port = String(proxy.port);
  const farm = await startTestFarm({ DATABASE_URL: url.href, ...(brokerUrl ? { MQTT_URL: brokerUrl } : {}) });
  closing.unshift(() => farm.close());
  const connect = async (device: typeof SOIL): Promise<MqttClient> => {
    if (!brokerUrl) return farm.connect(device, { reconnectPeriod: 200 });
    const client = await connectAsync(brokerUrl, { reconnectPeriod: 200 });
    closing.unshift(() => client.endAsync(true));
    return client;
  };
  const [sensor, controller] = await Promise.all([connect(SOIL), connect(VALVES)]);
  const { authorization } = await farm.signIn("farmer-one");
  return { farm, sensor, controller, bearer: { authorization } };
}

beforeAll(async () => {
  pair = await startPostgresPair();
  proxy = await startTcpProxy(pair.primary.url);
  network = openUnreachable(proxy.port);
  const root = await openPostgres(pair.primary.url);
  await root.exec("create role farm login");
  for (const name of ["farm_1", "farm_2"]) await root.exec(`create database ${name} owner farm`);
  await root.close();
  admins = await Promise.all(
    ["farm_1", "farm_2"].map((name) => openPostgres(ofDatabase(pair.primary.url, name))),
  );
  const mosquitto = await startMosquitto({ config: ["max_queued_messages 1000000"] });
  closing.unshift(() => mosquitto.stop());
  ways.push(await openWay("farm_1", undefined), await openWay("farm_2", mosquitto.url));
});
afterAll(async () => {
  network.pass();
  for (const close of closing) await close();
  await Promise.all(admins.map((admin) => admin.close()));
  await proxy.close();
  await pair.close();
});

/** Run a statement as the superuser in the databases of both farms. */
const command = (sql: string): Promise<unknown> => Promise.all(admins.map((admin) => admin.exec(sql)));
/** Run a statement about what both share: the role and its connections. */
const once = (sql: string): Promise<unknown> => admins[0]?.query(sql) ?? Promise.resolve();
const END_OTHERS = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'farm'";

/** Hold the tables that are written below until `end` is called. */
function lockTables(): () => Promise<void> {
  const free = Promise.withResolvers<void>();
  const locks = admins.map((admin) =>
    admin.transaction(async (tx) => {
      await tx.query("lock table reading, latest, channel_state, cluster in access exclusive mode");
      await free.promise;
    }),
  );
  return async () => {
    free.resolve();
    await Promise.all(locks);
  };
}

interface Fault {
  readonly name: string;
  begin(): Promise<() => Promise<unknown>>;
}

const ofNetwork = (name: string, code: string): Fault => ({
  name,
  async begin() {
    network.fail(code);
    proxy.cut();
    return async () => {
      network.pass();
      proxy.pass();
    };
  },
});

const FAULTS: readonly Fault[] = [
  ofNetwork("whose host is unreachable", "EHOSTUNREACH"),
  ofNetwork("whose name is not found", "ENOTFOUND"),
  ofNetwork("whose certificate has expired", "CERT_HAS_EXPIRED"),
  {
    name: "that revoked a right",
    async begin() {
      await command("revoke all on all tables in schema public from farm");
      return () => command("grant all on all tables in schema public to farm");
    },
  },
  {
    name: "that refuses the role",
    async begin() {
      await once("alter role farm nologin");
      await once(END_OTHERS);
      return () => once("alter role farm login");
    },
  },
  {
    name: "that ends statements after their time",
    async begin() {
      await once("alter role farm set statement_timeout = '300ms'");
      await once(END_OTHERS);
      const free = lockTables();
      return async () => {
        await free();
        await once("alter role farm reset statement_timeout");
        await once(END_OTHERS);
      };
    },
  },
  {
    // Last: the standby remains the server.
    name: "that fails over to a standby, read-only until it is promoted",
    async begin() {
      await pair.primary.stop();
      await Promise.all(admins.map((admin) => admin.close()));
      proxy.aim(pair.standby.url);
      admins = await Promise.all(
        ["farm_1", "farm_2"].map((name) => openPostgres(ofDatabase(pair.standby.url, name))),
      );
      return () => once("select pg_promote()");
    },
  },
];

function publish({ sensor, controller }: Way): { acknowledged: number } {
  const progress = { acknowledged: 0 };
  const note = (error?: Error | null): void => {
    if (!error) progress.acknowledged += 1;
  };
  for (let n = 0; n < COUNT; n += 1) {
    const at = new Date(FIRST + (sent + n) * 60_000).toISOString();
    sensor.publish(topic.up(SOIL.serial), JSON.stringify({ at, moisture: 30 }), { qos: 1 }, note);
  }
  const state = { onoff: turns % 2 === 0 ? VALVE_ON : VALVE_OFF };
  controller.publish(topic.channelState(VALVES.serial, 1), JSON.stringify(state), { qos: 1 }, note);
  return progress;
}

/** Write readings as an import does. */
async function write({ farm }: Way): Promise<number> {
  const store = (readings: readonly Reading[]) => storeReadings(farm.app.database, readings);
  const writer = createReadingWriter({ store, signal: new AbortController().signal });
  const report = emptyReport();
  const items = Array.from({ length: COUNT }, (_, n) => ({
    line: n,
    reading: {
      ...{ sensorId: WEATHER.id, at: FIRST + (sent + n) * 60_000, receivedAt: FIRST },
      ...{ fwversion: null, rssi: null, fields: { temperature: n } },
    },
  }));
  await writer.add(items, report);
  await writer.finish(report);
  expect([report.valuesRejected, report.rejects]).toEqual([0, []]);
  return report.readingsStored;
}

const addFarm = ({ farm, bearer }: Way) =>
  farm.app.inject({
    method: "POST",
    url: "/api/v1/cluster/add",
    headers: bearer,
    payload: { name: `Farm ${nextFarm()}`, sensors: [] },
  });

async function storedIn({ farm }: Way) {
  const { database } = farm.app;
  const [counts] = await database.query(
    `select (select count(*) from reading where sensor_id = $1) as readings,
       (select count(*) from reading where sensor_id = $2) as imported,
       (select onoff from channel_state where device_id = $3 and number = 1) as onoff,
       (select count(*) from dead_letter) as letters`,
    [SOIL.id, WEATHER.id, VALVES.id],
  );
  return counts;
}

describe.each(FAULTS)("[KEEP-1] a PostgreSQL $name", ({ begin }) => {
  test("[KEEP-1] loses nothing on either broker or in an import, nor a valve's report; REST answers 503", async () => {
    for (const { farm } of ways) farm.clock.advance(60_000);
    const end = await begin();
    const progress = ways.map(publish);
    const imports = ways.map(write);
    const answers = await Promise.all(ways.map(addFarm));
    for (const answer of answers) {
      expect(answer.json()).toMatchObject({ status: 503, code: "database-down" });
      expect(answer.headers["retry-after"]).toBe("5");
    }
    await new Promise((resolve) => setTimeout(resolve, FAULT_MS));
    // Of an external broker, the publisher sees the broker's own acknowledgement.
    expect(progress[0]?.acknowledged).toBe(0);
    for (const { farm } of ways) {
      farm.clock.advance(5_000);
      const ready = await farm.app.inject("/ready");
      expect(ready.json()).toMatchObject({ ready: false, storage: { ok: false, fault: "database" } });
    }

    await end();
    expect(await Promise.all(imports)).toEqual(ways.map(() => COUNT));
    sent += COUNT;
    const all = { readings: sent, imported: sent, onoff: turns % 2 === 0 ? VALVE_ON : VALVE_OFF, letters: 0 };
    turns += 1;
    for (const way of ways) await vi.waitFor(async () => expect(await storedIn(way)).toEqual(all), WAIT);
    await vi.waitFor(() => expect(progress[0]?.acknowledged).toBe(COUNT + 1), WAIT);
    expect((await Promise.all(ways.map(addFarm))).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });
});
