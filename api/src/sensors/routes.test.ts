import { Farm } from "@mulkko/shared/entities/farm";
import { Sensor } from "@mulkko/shared/entities/sensor";
import { accountInfo, accountLogin } from "@mulkko/shared/rest/operations/account";
import {
  channelMoisture,
  channelState,
  controllerList,
  controllerRead,
  triggerRead,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import {
  cotLog,
  latestOfMany,
  latestReceived,
  latestStored,
  logRange,
} from "@mulkko/shared/rest/operations/logs";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList, sensorListOfType, sensorRead, widgetList } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ADMIN,
  COT,
  FARMER,
  FOREIGN,
  SOIL,
  startTestFarm,
  type TestFarm,
  WEATHER,
} from "../../testing/test-farm.ts";

let farm: TestFarm;
const headers: Record<string, { authorization: string }> = {};
beforeAll(async () => {
  farm = await startTestFarm();
  for (const name of ["farmer-one", "farmer-two", "overseer"]) {
    headers[name] = { authorization: (await farm.signIn(name)).authorization };
  }
  const device = await farm.connect(SOIL);
  await device.publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 31.5}', { qos: 1 });
});
afterAll(() => farm.close());

const get = (url: string, who = "farmer-one") => farm.app.inject({ url, headers: headers[who] ?? {} });
const ids = (answer: { json(): Sensor[] }): unknown[] => answer.json().map(({ id }) => id);

describe("[sensor]", () => {
  test("[sensor] lists the caller's sensors, complete, with farm and newest log", async () => {
    const answer = await get(sensorList.path);
    expect(parse(Type.Array(Sensor), answer.json()).ok).toBe(true);
    expect(ids(answer)).toEqual([SOIL.id, WEATHER.id, COT.id]);
    expect(answer.json()[0]).toEqual({
      id: SOIL.id,
      name: `SMS ${SOIL.serial}`,
      deviceType: "SMS",
      serial: SOIL.serial,
      description: "",
      crops: "",
      latitude: 0,
      longitude: 0,
      widget: true,
      clusterId: 1,
      chNums: 0,
      imagePath: null,
      clusters: [{ id: 1, name: "House" }],
      userId: FARMER,
      externalId: null,
      profile: null,
      createdDate: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      version: expect.stringMatching(/^[\w-]{10}$/),
      latestLog: {
        sensorId: SOIL.id,
        createdDate: "2026-11-21 12:00:00",
        modifiedDate: "2026-11-21 12:00:00",
        fwversion: null,
        rssi: null,
        soilTemperature: null,
        moisture: 31.5,
        battery: null,
        arrival: expect.any(Number),
      },
    });
    expect(answer.json()[1]).toMatchObject({ clusterId: 0, clusters: [], latestLog: null });
  });

  test("[sensor] filters by type, and by widget", async () => {
    expect(ids(await get(pathTo(sensorListOfType, { deviceType: "ATS02" })))).toEqual([WEATHER.id]);
    expect(ids(await get(pathTo(sensorListOfType, { deviceType: "NONE" })))).toEqual([]);
    expect(ids(await get(widgetList.path))).toEqual([SOIL.id]);
  });

  test("[sensor] read returns type and channels", async () => {
    expect((await get(pathTo(sensorRead, { id: COT.id }))).json()).toEqual({ deviceType: "COT", chNums: 2 });
  });

  test("[cluster] lists farms with their sensors, including empty farms", async () => {
    const farms = (await get(clusterList.path)).json<Farm[]>();
    expect(parse(Type.Array(Farm), farms).ok).toBe(true);
    expect(farms.map(({ id, name, sensors }) => [id, name, sensors?.map((one) => one.id)])).toEqual([
      [1, "House", [SOIL.id, COT.id]],
      [3, "Empty", []],
    ]);
  });

  test("[separation] isolates two farmers; an administrator's own lists are empty", async () => {
    expect(ids(await get(sensorList.path, "farmer-two"))).toEqual([FOREIGN.id]);
    expect((await get(clusterList.path, "farmer-two")).json<Farm[]>().map(({ name }) => name)).toEqual([
      "Elsewhere",
    ]);
    expect((await get(sensorList.path, "overseer")).json()).toEqual([]);
    expect((await get(accountInfo.path, "overseer")).json().id).toBe(ADMIN);
  });

  const paths = [
    (id: string) => pathTo(sensorRead, { id }),
    (id: string) => pathTo(latestStored, { id }),
    (id: string) => pathTo(latestReceived, { id }),
    (id: string) => pathTo(logRange, { id, start: "2026-11-01", end: "2026-11-30" }),
    (id: string) => pathTo(cotLog, { id, channel: 1, start: "2026-11-01", end: "2026-11-30" }),
    (id: string) => `${latestOfMany.path}?ids=${SOIL.id},${id}`,
  ];

  test.each(paths.map((path) => [path("ID"), path] as const))(
    "[separation] %s: another's, an unknown and an impossible id are all 404",
    async (_name, path) => {
      const answers = await Promise.all(
        [FOREIGN.id, "99999999-0000-4000-8000-000000000001", "not-an-id", "1%20or%201=1"].map((id) =>
          get(path(id)),
        ),
      );
      for (const answer of answers) {
        expect(answer.statusCode).toBe(404);
        expect(answer.json()).toMatchObject({ status: 404, error: "Not Found", code: "not-found" });
      }
      expect((await get(path(SOIL.id), "overseer")).statusCode).toBe(200);
    },
  );

  test.each([
    sensorList.path,
    pathTo(sensorListOfType, { deviceType: "SMS" }),
    widgetList.path,
    clusterList.path,
    notificationList.path,
    controllerList.path,
    pathTo(triggerRead, { channelId: 1 }),
    pathTo(channelState, { serial: 200001, channelId: 1 }),
    pathTo(channelMoisture, { channelId: 1 }),
    pathTo(controllerRead, { id: SOIL.id }),
    ...paths.map((path) => path(SOIL.id)),
  ])("[auth] %s without a token is 401", async (url) => {
    const answer = await farm.app.inject({ url });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().code).toBe("unauthorized");
  });

  test.each(["/api/v1/nothing", "/", accountLogin.path, "/api/v1/sensor/list/%zz"])(
    "[errors] %s answers in the error shape",
    async (url) => {
      const answer = await get(url);
      expect([400, 404, 405]).toContain(answer.statusCode);
      expect(Object.keys(answer.json())).toEqual(["status", "error", "code", "message"]);
    },
  );
});
