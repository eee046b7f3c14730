import { readFile } from "node:fs/promises";
import { relayStorage } from "@mulkko/shared/rest/operations/relay-calls";
import { StorageState } from "@mulkko/shared/rest/storage";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { startPostgres } from "@mulkko/testing/engines/postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { RELAY_KEY, SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

/** Time after a refused batch until storing counts as recovered. */
const RECOVERED_AFTER_MS = 30_000;

const server = await startPostgres();
afterAll(() => server.stop());

describe.each([
  ["pglite", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: server.url })],
])("[storage] on %s", (_kind, environment) => {
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await startTestFarm(await environment());
  });
  afterAll(() => farm.close());
  afterEach(async () => {
    await farm.app.database.exec("alter table if exists storage_probe_away rename to storage_probe");
  });
  const look = () => farm.clock.advance(5_000);
  const ready = async () => {
    look();
    return farm.app.inject("/ready");
  };
  const asked = (relaykey: string) => farm.app.inject({ url: relayStorage.path, headers: { relaykey } });

  test("[storage] readiness writes a real row: it fails where a table refuses rows", async () => {
    expect((await ready()).json()).toMatchObject({
      ready: true,
      storage: { ok: true },
      disk: { daysLeft: null },
    });
    await farm.app.database.exec("alter table storage_probe rename to storage_probe_away");
    const red = await ready();
    expect(red.statusCode).toBe(503);
    expect(red.json()).toMatchObject({
      ready: false,
      database: false,
      storage: { ok: false, fault: "database" },
    });
    await farm.app.database.exec("alter table storage_probe_away rename to storage_probe");
    expect((await ready()).json()).toMatchObject({ ready: true, database: true });
    const logged = farm.lines.filter((line) => /readings are (not being stored|stored again)/.test(line));
    expect(logged.map((line) => JSON.parse(line).level)).toEqual([50, 30]);
  });

  test("[storage] a refused batch is a fault, without a log line per message", async () => {
    look();
    await farm.app.database.exec("alter table latest rename to latest_away");
    const device = await farm.connect(SOIL);
    const before = farm.lines.length;
    // QoS 0: otherwise its sender would be disconnected and retry.
    await device.publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 31.5}', { qos: 0 });
    const fault = async () => parse(StorageState, (await asked(RELAY_KEY)).json());
    await eventually(async () => expect(await fault()).toMatchObject({ value: { fault: "database" } }));
    await farm.app.database.exec("alter table latest_away rename to latest");
    await device.endAsync(true);
    farm.clock.advance(RECOVERED_AFTER_MS);
    expect(await fault()).toMatchObject({ value: { fault: null } });
    const loud = farm.lines.slice(before).filter((line) => JSON.parse(line).level >= 40);
    expect(loud.filter((line) => line.includes("refused message"))).toEqual([]);
  });

  test("[storage] the relay reads the fault and the disk space with the shared key", async () => {
    look();
    const answer = await asked(RELAY_KEY);
    const state = parse(StorageState, answer.json());
    expect(state.ok && state.value).toMatchObject({ fault: null, since: null });
    expect(state.ok && (state.value.disk?.freeBytes ?? 0)).toBeGreaterThan(0);
    expect((await asked("another")).statusCode).toBe(401);
  });

  test("[storage] metrics show storing, disk space and stored rows", async () => {
    look();
    const { body, headers } = await farm.app.inject("/metrics");
    expect(headers["content-type"]).toContain("text/plain");
    for (const line of [
      /^mulkko_api_storing 1$/m,
      /^mulkko_api_storage_fault{fault="disk-full"} 0$/m,
      /^mulkko_api_disk_free_bytes \d/m,
      /^mulkko_api_messages_stored_total \d/m,
      /^mulkko_api_database_up 1$/m,
    ])
      expect(body).toMatch(line);
    expect(body).not.toMatch(/^mulkko_api_disk_days_left \d/m);
    const own = [...body.matchAll(/^# TYPE (mulkko_api_(?!nodejs_|process_)\w+)/gm)].map(([, name]) => name);
    const read = (file: string) => readFile(new URL(`../../../${file}`, import.meta.url), "utf8");
    const [document, dashboard] = await Promise.all([
      read("docs/operations.md"),
      read("ops/grafana-dashboard.json"),
    ]);
    for (const name of own) expect(document).toContain(`\`${name?.replace("mulkko_api_", "")}\``);
    for (const [name] of dashboard.matchAll(/mulkko_api_\w+/g)) expect(own).toContain(name);
  });
});
