import { Sensor } from "@mulkko/shared/entities/sensor";
import { deviceKeyRenew, deviceProfiles } from "@mulkko/shared/rest/operations/devices";
import { latestOfMany, latestStored } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import {
  sensorAdd,
  sensorDelete,
  sensorList,
  sensorUpdate,
  widgetList,
} from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Callers, listenAsRelay, type ReceivedOutput, signInAll } from "../../testing/callers.ts";
import {
  ADMIN,
  COT,
  FARMER,
  FOREIGN,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
  WEATHER,
} from "../../testing/test-farm.ts";
import { storeReadings } from "../ingest/reading-store.ts";

let farm: TestFarm;
let callers: Callers;
let received: ReceivedOutput[];
beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  received = await listenAsRelay(farm);
});
afterAll(() => farm.close());

const add = (fields: Record<string, string>) => callers.form("POST", sensorAdd.path, fields);
let serial = 700_000;
const fresh = async (fields: Record<string, string> = {}) => {
  serial += 1;
  const answer = await add({ name: "Fresh", serial: String(serial), ...fields });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const changed = (entity: string, id: string) => ({
  topic: `mulkko/out/${FARMER}/changed`,
  body: { entity, id },
});

describe("[sensor] adding", () => {
  test("[sensor] a form registers a sensor; its key is returned once, works at the broker, and the relay is notified", async () => {
    const answer = await add({
      name: " 딸기 온실 ",
      serial: "000512345",
      description: "by the door",
      crops: "strawberry",
      latitude: "37.36",
      longitude: "127.11",
      clusterId: "1",
      chNums: "",
      externalId: "70B3D57ED0001122",
      profile: "milesight-em500-co2",
    });
    expect(answer.statusCode).toBe(200);
    const { deviceKey, mqtt, ...sensor } = answer.json();
    expect(mqtt).toEqual({ host: null, port: farm.app.mqttPort, tls: false });
    expect(parse(Sensor, sensor).ok).toBe(true);
    expect(sensor).toMatchObject({
      name: "딸기 온실",
      serial: 512_345,
      deviceType: "SMS",
      description: "by the door",
      crops: "strawberry",
      latitude: 37.36,
      longitude: 127.11,
      clusterId: 1,
      chNums: 0,
      userId: FARMER,
      latestLog: null,
      externalId: "70B3D57ED0001122",
      profile: "milesight-em500-co2",
    });
    expect(deviceKey).toMatch(/^[0-9a-f]{32}$/);
    expect((await callers.ask("GET", sensorList.path)).body).not.toContain(deviceKey);
    expect(farm.lines.join("")).not.toContain(deviceKey);
    expect(farm.app.deviceIndex.byExternalId("70b3d57ed0001122")?.id).toBe(sensor.id);
    const device = await farm.connect({ id: sensor.id, serial: sensor.serial, key: deviceKey });
    await device.publishAsync(`mulkko/${sensor.serial}/up`, '{"moisture": 20}', { qos: 1 });
    const latest = await callers.ask("GET", pathTo(latestStored, { id: sensor.id }));
    expect(latest.json().moisture).toBe(20);
    await eventually(() => expect(received).toContainEqual(changed("sensor", sensor.id)));
  });

  test("[sensor] puts the first sensor of an account on the home page, but no later one", async () => {
    const widgets = async () =>
      (await callers.ask("GET", widgetList.path, undefined, "overseer"))
        .json<{ name: string }[]>()
        .map(({ name }) => name);
    const add = (name: string, serial: string, more: object = {}) =>
      callers.ask("POST", sensorAdd.path, { name, serial, deviceType: "SMS", ...more }, "overseer");
    expect(await widgets()).toEqual([]);
    await add("Hidden", "24990100", { widget: false });
    await add("First", "24990101");
    await add("Second", "24990102");
    expect(await widgets()).toEqual(["First"]);
  });

  test("[sensor] accepts JSON too; a COT sensor has two channels by default", async () => {
    const ask = (body: object) => callers.ask("POST", sensorAdd.path, body);
    const cot = await ask({ name: "Valves", serial: 600_001, deviceType: "COT" });
    expect(cot.json()).toMatchObject({ deviceType: "COT", chNums: 2, serial: 600_001 });
    expect(farm.app.deviceIndex.bySerial(600_001)?.channels).toHaveLength(2);
    expect((await ask({ name: "V", serial: 600_002, deviceType: "COT", chNums: 8 })).json().chNums).toBe(8);
    expect((await ask({ name: "S", serial: 600_003, deviceType: "SSH", chNums: 8 })).json().chNums).toBe(0);
    expect((await ask({ name: "A", serial: 600_004, deviceType: "ATS03" })).statusCode).toBe(200);
  });

  test("[sensor] a COT sensor has two to eight channels, at registration and at a change", async () => {
    let serial = 600_010;
    for (const chNums of [-1, 0, 1, 9, 100, 1.5, "1", "9"]) {
      const fields = { name: "Valves", serial: ++serial, deviceType: "COT", chNums };
      const answer = await callers.ask("POST", sensorAdd.path, fields);
      expect([chNums, answer.statusCode, answer.json().errors?.[0]?.field]).toEqual([chNums, 422, "chNums"]);
    }
    for (const chNums of [2, 3, 4, 5, 6, 7, 8, "8"]) {
      const fields = { name: "Valves", serial: ++serial, deviceType: "COT", chNums };
      const answer = await callers.ask("POST", sensorAdd.path, fields);
      expect([answer.statusCode, answer.json().chNums]).toEqual([200, Number(chNums)]);
    }
  });

  test.each([
    ["a serial of a sensor", { serial: String(SOIL.serial) }],
    ["a serial of another's sensor", { serial: `0${FOREIGN.serial}` }],
    ["a serial of a controller", { serial: String(VALVES.serial) }],
  ])("[sensor] %s is taken: 409", async (_case, fields) => {
    const answer = await add({ name: "Twin", ...fields });
    expect(answer.json()).toMatchObject({
      status: 409,
      code: "conflict",
      errors: [{ field: "serial", defaultMessage: "another device uses this serial" }],
    });
  });

  test("[sensor] an external id is unique, ignoring case", async () => {
    await fresh({ externalId: "AbCd01" });
    const twin = await add({ name: "Twin", serial: "799999", externalId: "aBcD01" });
    expect([twin.statusCode, twin.json().errors[0].field]).toEqual([409, "externalId"]);
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: " " }, "name"],
    [{ serial: "" }, "serial"],
    [{ serial: "12a" }, "serial"],
    [{ serial: "-5" }, "serial"],
    [{ serial: "1.5" }, "serial"],
    [{ serial: "000" }, "serial"],
    [{ serial: "1234567890123456" }, "serial"],
    [{ deviceType: "TOASTER" }, "deviceType"],
    [{ deviceType: "SES" }, "deviceType"],
    [{ latitude: "90.1" }, "latitude"],
    [{ latitude: "north" }, "latitude"],
    [{ longitude: "-180.5" }, "longitude"],
    [{ deviceType: "COT", chNums: "0" }, "chNums"],
    [{ deviceType: "COT", chNums: "9" }, "chNums"],
    [{ deviceType: "COT", chNums: "two" }, "chNums"],
    [{ widget: "perhaps" }, "widget"],
    [{ clusterId: "first" }, "clusterId"],
    [{ clusterId: "1e308" }, "clusterId"],
    [{ externalId: "x".repeat(65) }, "externalId"],
    [{ profile: "unknown-profile" }, "profile"],
  ])("[sensor] %j is 422 at %s", async (fields, field) => {
    const answer = await add({ name: "A", serial: "654321", ...fields });
    expect(answer.json()).toMatchObject({ status: 422, code: "validation" });
    expect(answer.json().errors.map((error: { field: string }) => error.field)).toEqual([field]);
    expect(farm.app.deviceIndex.bySerial(654_321)).toBeUndefined();
  });

  test("[sensor] reports all faults at once, including a missing name", async () => {
    const answer = await add({ name: "A", serial: "1", latitude: "91", longitude: "181" });
    expect(answer.json().errors).toEqual([
      { field: "latitude", defaultMessage: "latitude must be from -90 to 90" },
      { field: "longitude", defaultMessage: "longitude must be from -180 to 180" },
    ]);
    expect((await add({ serial: "1" })).json().errors[0].field).toBe("name");
    expect((await add({ name: "A" })).json().errors[0].field).toBe("serial");
  });

  test("[sensor] another account's farm is 404", async () => {
    expect((await add({ name: "A", serial: "654321", clusterId: "2" })).statusCode).toBe(404);
    expect((await add({ name: "A", serial: "654321", clusterId: "99" })).statusCode).toBe(404);
  });
});

describe("[sensor] changing", () => {
  test("[sensor] missing values and an emptied coordinate stay unchanged", async () => {
    const { id } = await fresh({ latitude: "37.1", longitude: "127.2", clusterId: "1", crops: "rice" });
    const url = pathTo(sensorUpdate, { id });
    const form = { id, name: "Renamed", deviceType: "SSH", latitude: "", longitude: "127.9", widget: "true" };
    const answer = await callers.form("PUT", url, form);
    expect(answer.json()).toMatchObject({
      id,
      name: "Renamed",
      deviceType: "SSH",
      latitude: 37.1,
      longitude: 127.9,
      widget: true,
      crops: "rice",
      clusterId: 1,
    });
    await eventually(() =>
      expect(received.filter(({ body }) => JSON.stringify(body).includes(id))).toHaveLength(2),
    );
    const posted = await callers.ask("POST", url, {
      deviceType: "SSH",
      widget: false,
      clusterId: 0,
      latitude: 0,
    });
    expect(posted.json()).toMatchObject({ name: "Renamed", widget: false, clusterId: 0, latitude: 0 });
  });

  test("[sensor] requires a device type; the serial is locked", async () => {
    const url = pathTo(sensorUpdate, { id: WEATHER.id });
    expect((await callers.form("PUT", url, { name: "x", deviceType: "" })).json().errors).toEqual([
      { field: "deviceType", defaultMessage: "device type is required" },
    ]);
    expect((await callers.form("PUT", url, { name: "x" })).json().errors[0].field).toBe("deviceType");
    const other = await callers.form("PUT", url, { deviceType: "ATS02", serial: "5" });
    expect([other.statusCode, other.json().errors[0].field]).toEqual([422, "serial"]);
    const same = await callers.form("PUT", url, { deviceType: "ATS02", serial: String(WEATHER.serial) });
    expect(same.statusCode).toBe(200);
    expect((await callers.form("PUT", url, { deviceType: "ATS02", clusterId: "2" })).statusCode).toBe(404);
  });

  test("[sensor] a sensor on a channel must keep a kind that its controller accepts", async () => {
    const answer = await callers.form("PUT", pathTo(sensorUpdate, { id: SOIL.id }), { deviceType: "AT" });
    expect([answer.statusCode, answer.json().errors[0].field]).toEqual([422, "deviceType"]);
  });

  test("[sensor] an administrator changes any sensor, with farms of its owner", async () => {
    const url = pathTo(sensorUpdate, { id: FOREIGN.id });
    const answer = await callers.form("PUT", url, { deviceType: "SMS", clusterId: "2" }, "overseer");
    expect([answer.statusCode, answer.json().clusterId]).toEqual([200, 2]);
    expect(
      (await callers.form("PUT", url, { deviceType: "SMS", clusterId: "1" }, "overseer")).statusCode,
    ).toBe(404);
    expect(ADMIN).not.toBe(answer.json().userId);
  });
});

describe("[sensor] deleting and keys", () => {
  test("[sensor] deletion removes its readings, its channel assignments and its connection", async () => {
    const { id, serial: number, deviceKey } = await fresh();
    await farm.app.database.query("insert into channel_sensor values (2, $1)", [id]);
    const at = farm.clock.now();
    await storeReadings(farm.app.database, [
      { sensorId: id, at, receivedAt: at, fwversion: null, rssi: null, fields: { moisture: 1 } },
    ]);
    const device = await farm.connect({ id, serial: number, key: deviceKey });
    const closed = new Promise((resolve) => device.once("close", () => resolve(null)));
    const answer = await callers.ask("DELETE", pathTo(sensorDelete, { id }));
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    await closed;
    await expect(farm.connect({ id, serial: number, key: deviceKey })).rejects.toThrow();
    for (const table of ["reading", "latest", "channel_sensor"]) {
      const rows = await farm.app.database.query(`select 1 from ${table} where sensor_id = $1`, [id]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
    await eventually(() => expect(received).toContainEqual(changed("controller", VALVES.id)));
    expect((await callers.ask("POST", pathTo(sensorDelete, { id }))).statusCode).toBe(404);
    expect((await callers.ask("GET", `${latestOfMany.path}?ids=${id}`)).statusCode).toBe(404);
    const posted = await fresh();
    expect((await callers.ask("POST", pathTo(sensorDelete, { id: posted.id }))).statusCode).toBe(204);
  });

  test("[devices] lists the available decoders by maker and model", async () => {
    const profiles = (await callers.ask("GET", deviceProfiles.path)).json();
    expect(profiles).toContainEqual({
      name: "dragino-lse01",
      maker: "Dragino",
      model: "LSE01",
      deviceTypes: ["SSH", "SMS", "SOIL"],
    });
    const makers = profiles.map(({ maker }: { maker: string }) => maker);
    expect(makers).toEqual([...makers].sort());
    const { id } = await fresh();
    const body = { deviceType: "SMS", profile: profiles[0].name };
    expect((await callers.ask("PUT", pathTo(sensorUpdate, { id }), body)).statusCode).toBe(200);
    expect((await callers.ask("GET", deviceProfiles.path, undefined, "nobody")).statusCode).toBe(401);
  });

  test("[devices] a new key replaces the old one", async () => {
    const { id, serial: number, deviceKey } = await fresh();
    const device = await farm.connect({ id, serial: number, key: deviceKey });
    const closed = new Promise((resolve) => device.once("close", () => resolve(null)));
    const answer = await callers.ask("POST", pathTo(deviceKeyRenew, { id }));
    expect(answer.json()).toEqual({
      deviceKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      mqtt: { host: null, port: farm.app.mqttPort, tls: false },
    });
    await closed;
    await expect(farm.connect({ id, serial: number, key: deviceKey })).rejects.toThrow();
    await farm.connect({ id, serial: number, key: answer.json().deviceKey });
    expect((await callers.ask("POST", pathTo(deviceKeyRenew, { id: VALVES.id }))).statusCode).toBe(200);
  });

  test.each([
    ["DELETE", pathTo(sensorDelete, { id: "ID" })],
    ["POST", pathTo(sensorDelete, { id: "ID" })],
    ["PUT", pathTo(sensorUpdate, { id: "ID" })],
    ["POST", pathTo(deviceKeyRenew, { id: "ID" })],
  ] as const)(
    "[separation] %s %s: another's, an unknown and an impossible id are all 404",
    async (method, url) => {
      for (const id of [FOREIGN.id, "99999999-0000-4000-8000-000000000001", "1%20or%201=1"]) {
        const answer = await callers.ask(method, url.replace("ID", id), { deviceType: "SMS" });
        expect(answer.statusCode).toBe(404);
      }
      const anonymous = await callers.ask(method, url.replace("ID", COT.id), { deviceType: "COT" }, "nobody");
      expect(anonymous.statusCode).toBe(401);
      expect(farm.app.deviceIndex.byId(FOREIGN.id)).toBeDefined();
    },
  );

  test("[sensor] does not treat a controller as a sensor", async () => {
    expect((await callers.ask("DELETE", pathTo(sensorDelete, { id: VALVES.id }))).statusCode).toBe(404);
  });
});
