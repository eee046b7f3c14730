import { topic } from "@mulkko/shared/mqtt/topics";
import {
  adminDevices,
  adminSensorAdd,
  adminSensorDelete,
  adminSensors,
  adminSensorUpdate,
} from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { PageOf } from "@mulkko/shared/rest/paging";
import { AdminSensor, FleetDevice } from "@mulkko/shared/rest/sensor";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Callers, signInAll } from "../../testing/callers.ts";
import {
  COT,
  FARMER,
  FOREIGN,
  FOREIGN_VALVES,
  NEIGHBOR,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
  WEATHER,
} from "../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  const soil = await farm.connect(SOIL);
  await soil.publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 31.5}', { qos: 1 });
  const valves = await farm.connect(VALVES);
  await valves.publishAsync(`mulkko/${VALVES.serial}/ch/1/state`, '{"onoff": 2, "rssi": -70}', { qos: 1 });
});
afterAll(() => farm.close());

const get = (url: string, who = "overseer") => callers.ask("GET", url, undefined, who);
const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);

describe("[admin] sensors", () => {
  test("[admin] lists all sensors, unpaged and complete, with owner and newest log", async () => {
    const list = (await get(adminSensors.path)).json();
    expect(parse(Type.Array(AdminSensor), list).ok).toBe(true);
    expect(ids(list)).toEqual([SOIL.id, WEATHER.id, COT.id, FOREIGN.id]);
    expect(list[0]).toMatchObject({ userId: FARMER, username: "farmer-one", latestLog: { moisture: 31.5 } });
    expect(list[3]).toMatchObject({ userId: NEIGHBOR, username: "farmer-two", latestLog: null });
  });

  test("[admin] a page is filtered and sorted, and includes the total", async () => {
    const page = async (query: string) => (await get(`${adminSensors.path}?${query}`)).json();
    const first = await page("page=1&size=3");
    expect(parse(PageOf(AdminSensor), first).ok).toBe(true);
    expect([ids(first.content), first.totalElements]).toEqual([[SOIL.id, WEATHER.id, COT.id], 4]);
    const second = await page("page=2&size=3");
    expect([ids(second.content), second.totalElements]).toEqual([[FOREIGN.id], 4]);
    expect(await page("page=9&size=3")).toEqual({ content: [], totalElements: 4 });
    expect(ids((await page("sort=serial,desc")).content)).toEqual([FOREIGN.id, COT.id, WEATHER.id, SOIL.id]);
    expect(ids((await page("q=FARMER-TWO")).content)).toEqual([FOREIGN.id]);
    expect(ids((await page(`q=${WEATHER.serial}`)).content)).toEqual([WEATHER.id]);
    expect(ids((await page(`q=${FOREIGN.id.toUpperCase()}`)).content)).toEqual([FOREIGN.id]);
    expect((await page("q=%25")).totalElements).toBe(0);
    expect((await page("q='%20or%201=1--")).totalElements).toBe(0);
    expect((await get(`${adminSensors.path}?sort=password`)).json().errors[0].field).toBe("sort");
    expect((await get(`${adminSensors.path}?page=0`)).statusCode).toBe(422);
  });

  test("[admin] adds a sensor for an account, by the same rules", async () => {
    const form = {
      userId: NEIGHBOR,
      name: "New",
      deviceType: "COT",
      serial: "00910001",
      clusterId: "2",
      chNums: "4",
    };
    const answer = await callers.form("POST", adminSensorAdd.path, form, "overseer");
    expect(answer.json()).toMatchObject({
      userId: NEIGHBOR,
      serial: 910_001,
      clusterId: 2,
      chNums: 4,
      deviceKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      mqtt: { host: null, port: farm.app.mqttPort, tls: false },
    });
    const add = (change: object) =>
      callers.ask("POST", adminSensorAdd.path, { ...form, serial: "910002", ...change }, "overseer");
    expect((await add({ clusterId: 1 })).statusCode).toBe(404);
    expect((await add({ userId: "99999999-0000-4000-8000-000000000001" })).statusCode).toBe(404);
    expect((await add({ userId: "nobody" })).statusCode).toBe(404);
    expect((await add({ userId: undefined })).json().errors[0].field).toBe("userId");
    expect((await add({ serial: SOIL.serial })).statusCode).toBe(409);
    expect((await add({ serial: "x" })).json().errors[0].field).toBe("serial");
    expect(ids((await callers.ask("GET", sensorList.path, undefined, "farmer-two")).json())).toHaveLength(2);
  });

  test("[admin] changes a sensor, including its serial, and deletes it; the audit records both", async () => {
    const put = (body: object) => callers.ask("PUT", adminSensorUpdate.path, body, "overseer");
    const answer = await put({ id: FOREIGN.id, name: "Corrected", deviceType: "SMS", serial: "0910009" });
    expect(answer.json()).toMatchObject({
      id: FOREIGN.id,
      name: "Corrected",
      serial: 910_009,
      clusterId: 2,
      username: "farmer-two",
    });
    expect((await put({ id: FOREIGN.id, deviceType: "SMS", clusterId: 1 })).statusCode).toBe(404);
    expect((await put({ id: FOREIGN.id, deviceType: "" })).statusCode).toBe(422);
    expect((await put({ id: FOREIGN_VALVES.id, deviceType: "SMS" })).statusCode).toBe(404);
    expect((await put({ deviceType: "SMS" })).json().errors[0].field).toBe("id");
    const url = pathTo(adminSensorDelete, { id: FOREIGN.id });
    expect((await callers.ask("DELETE", url, undefined, "overseer")).statusCode).toBe(204);
    expect((await callers.ask("DELETE", url, undefined, "overseer")).statusCode).toBe(404);
    const entries = await farm.app.database.query<{ action: string; actor_name: string }>(
      "select action, actor_name from audit where subject_id = $1 order by id",
      [FOREIGN.id],
    );
    expect(entries).toEqual([
      { action: "sensor-update", actor_name: "overseer" },
      { action: "sensor-delete", actor_name: "overseer" },
    ]);
  });
});

describe("[admin] fleet", () => {
  test("[admin-fleet] lists all sensors and controllers, by pages, with their last message", async () => {
    const fleet = (await get(adminDevices.path)).json();
    expect(parse(PageOf(FleetDevice), fleet).ok).toBe(true);
    expect(fleet.totalElements).toBe(fleet.content.length);
    const of = (id: string) => fleet.content.find((device: { id: string }) => device.id === id);
    expect(of(SOIL.id)).toMatchObject({ kind: "sensor", deviceType: "SMS", latestLog: { moisture: 31.5 } });
    const sensors = (await get(adminSensors.path)).json();
    const { latitude, longitude } = sensors.find((sensor: { id: string }) => sensor.id === SOIL.id);
    expect(of(SOIL.id)).toMatchObject({ latitude, longitude });
    expect(of(VALVES.id)).toMatchObject({ latitude: null, longitude: null });
    expect(of(VALVES.id)).toMatchObject({
      kind: "controller",
      userId: FARMER,
      username: "farmer-one",
      nickname: "farmer-one",
      phone: "",
      farmAddress: "",
      farm: null,
      name: "Valves",
      deviceType: "CON04V",
      serial: VALVES.serial,
      latestLog: { sensorId: VALVES.id, createdDate: "2026-11-21 12:00:00", rssi: -70 },
    });
    expect(of(FOREIGN_VALVES.id).latestLog).toBeNull();
    expect(of(SOIL.id).link).toBeUndefined();
    expect(of(VALVES.id).link).toBe("up");
    const page = (await get(`${adminDevices.path}?page=2&size=2&sort=serial`)).json();
    expect([page.content.length, page.totalElements]).toEqual([2, fleet.totalElements]);
  });
});

test("[ONL-1] lists a controller with its lost connection after its last will", async () => {
  const will = {
    topic: topic.status(VALVES.serial),
    payload: Buffer.from("offline"),
    qos: 1,
    retain: true,
  } as const;
  const valves = await farm.connect(VALVES, { will });
  await valves.publishAsync(topic.status(VALVES.serial), "online", { qos: 1, retain: true });
  farm.clock.advance(1_000);
  valves.stream.destroy();
  const linkOf = async () =>
    (await get(adminDevices.path)).json().content.find((device: { id: string }) => device.id === VALVES.id)
      .link;
  await expect.poll(linkOf).toBe("lost");
});

describe("[admin] permissions", () => {
  test.each([
    ["GET", adminSensors.path, undefined],
    ["GET", adminDevices.path, undefined],
    ["POST", adminSensorAdd.path, { userId: FARMER, name: "x", serial: "1" }],
    ["PUT", adminSensorUpdate.path, { id: SOIL.id, deviceType: "SMS" }],
    ["DELETE", pathTo(adminSensorDelete, { id: SOIL.id }), undefined],
  ] as const)("[admin] %s %s is 403 for a user and 401 without a token", async (method, url, body) => {
    const user = await callers.ask(method, url, body);
    expect(user.json()).toMatchObject({ status: 403, code: "forbidden" });
    expect((await callers.ask(method, url, body, "nobody")).statusCode).toBe(401);
  });
});
