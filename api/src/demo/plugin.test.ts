import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import { accountLogin, setupRead } from "@mulkko/shared/rest/operations/account";
import { channelState, controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { systemClock } from "@mulkko/shared/rules/clock";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { build } from "../app.ts";
import { readConfig } from "../config.ts";
import { DEMO_CONTROLLERS, DEMO_DEVICES, DEMO_PASSWORD } from "./farm.ts";

const DAY_MS = 86_400_000;
const clock = createFakeClock(systemClock.now());
let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm({ DEMO: "on", DEMO_INTERVAL_MS: "300" }, { empty: true, clock });
}, 60_000);
afterAll(() => farm.close());

const bearer = async (username: string) => {
  const answer = await farm.app.inject({
    method: "POST",
    url: accountLogin.path,
    payload: { username, password: DEMO_PASSWORD },
  });
  return { authorization: `Bearer ${answer.json().accessToken}` };
};

test("[demo] the first start writes the farms of two farmers, seven days of history and some notifications", async () => {
  const headers = await bearer("farmer");
  const sensors = (await farm.app.inject({ url: sensorList.path, headers })).json<Sensor[]>();
  expect(sensors.map(({ serial }) => serial)).toEqual(
    DEMO_DEVICES.filter(({ owner }) => owner === "farmer").map(({ serial }) => serial),
  );
  expect(sensors.filter(({ latestLog }) => latestLog === null)).toEqual([]);
  const [{ first, rows } = { first: 0, rows: 0 }] = await farm.app.database.query<{
    first: number;
    rows: number;
  }>("select min(at) as first, count(*) as rows from reading");
  expect(rows).toBeGreaterThan(40_000);
  expect(clock.now() - first).toBeGreaterThan(6.9 * DAY_MS);
  const noti = (await farm.app.inject({ url: notificationList.path, headers })).json();
  expect(noti.map(({ type, unread }: { type: string; unread: boolean }) => [type, unread])).toEqual([
    ["DEVICE", true],
    ["RSSI", true],
    ["BATTERY", false],
  ]);
  expect((await farm.app.inject(setupRead.path)).json()).toMatchObject({ needed: false });
});

test("[demo] every device has a key, in a file that only its owner can read", async () => {
  const file = join(farm.folder, "demo-keys.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const keys = JSON.parse(await readFile(file, "utf8"));
  expect(Object.keys(keys)).toHaveLength(DEMO_DEVICES.length + DEMO_CONTROLLERS.length);
});

test("[demo] its devices use the broker like any other, and a valve obeys", async () => {
  const headers = await bearer("farmer");
  const [controller] = DEMO_CONTROLLERS;
  await vi.waitFor(() => expect(farm.app.broker.hasSession(controller?.serial ?? 0)).toBe(true), {
    timeout: 20_000,
  });
  clock.advance(60_000);
  await vi.waitFor(
    () => expect(DEMO_DEVICES.filter(({ id }) => farm.app.ingest.newest(id)).length).toBeGreaterThan(15),
    { timeout: 20_000 },
  );
  expect(farm.app.ingest.deadLetters.counts()["not-json"]).toBeUndefined();
  const sent = await farm.app.inject({
    method: "POST",
    url: controllerCommand.path,
    headers,
    payload: { uuid: controller?.id ?? "", command: "onoff", channel: 1, payload: 1, maxRunSeconds: 60 },
  });
  const { commandId } = sent.json();
  const url = pathTo(channelState, { serial: controller?.serial ?? "", channelId: 1 });
  await vi.waitFor(
    async () => {
      clock.advance(1_000);
      expect((await farm.app.inject({ url, headers })).json()).toMatchObject({ onoff: 1, commandId });
    },
    { timeout: 20_000, interval: 200 },
  );
});

test("[demo] a second start keeps everything and fills the gap; DEMO=off refuses the known password", async () => {
  await farm.app.close();
  clock.advance(2 * 3_600_000);
  const said: string[] = [];
  const again = (demo: string) =>
    build(
      readConfig({ API_PORT: "0", MQTT_PORT: "0", DATA_DIR: farm.folder, DEMO: demo, LOG_LEVEL: "warn" }),
      { clock, logStream: { write: (line) => void said.push(line) } },
    );
  const on = await again("on");
  const [row] = await on.database.query<{ accounts: number; at: number }>(
    "select (select count(*) from account) as accounts, max(at) as at from latest",
  );
  expect(row?.accounts).toBe(3);
  expect(clock.now() - (row?.at ?? 0)).toBeLessThan(6 * 60_000);
  await on.close();
  const off = await again("off");
  const refused = await off.inject({
    method: "POST",
    url: accountLogin.path,
    payload: { username: "farmer", password: DEMO_PASSWORD },
  });
  expect(refused.statusCode).toBe(401);
  expect(off.demoKeys).toBeNull();
  const notice = said.find((line) => line.includes('"demo-accounts-refused"'));
  expect(notice).toContain("farmer, neighbor, admin cannot sign in");
  expect(notice).toContain("run set-password --user admin");
  await off.close();
}, 30_000);
