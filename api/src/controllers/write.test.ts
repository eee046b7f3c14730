import { Controller } from "@mulkko/shared/entities/controller";
import {
  channelDelete,
  channelSensorRemove,
  controllerList,
} from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Callers, listenAsRelay, type ReceivedOutput, signInAll } from "../../testing/callers.ts";
import {
  COT,
  FARMER,
  FOREIGN,
  FOREIGN_VALVES,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
  WEATHER,
} from "../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
let received: ReceivedOutput[];
const soils: string[] = [];
beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  received = await listenAsRelay(farm);
  for (const serial of [810_001, 810_002, 810_003, 810_004]) {
    const answer = await callers.ask("POST", sensorAdd.path, { name: "Soil", serial });
    soils.push(answer.json().id);
  }
});
afterAll(() => farm.close());

const URL = controllerList.path;
let serial = 820_000;
const add = (body: object) => {
  serial += 1;
  return callers.ask("POST", URL, { serial, name: "Box", type: "CON04V", ...body });
};
const fresh = async (body: object = {}) => {
  const answer = await add(body);
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const membersOf = (controller: Controller): unknown[] =>
  (controller.channels ?? []).map(({ channelNumber, sensors }) => [
    channelNumber,
    sensors?.map(({ id }) => id),
  ]);
const changed = (id: string) => ({
  topic: `mulkko/out/${FARMER}/changed`,
  body: { entity: "controller", id },
});

describe("[controller] adding", () => {
  test("[controller] is registered with its channels and their sensors; its key is returned once", async () => {
    const answer = await callers.ask("POST", URL, {
      serial: "000830001",
      name: " 밸브 1 ",
      description: "north",
      type: "CON04V",
      clusterId: 1,
      channels: [
        { channelNumber: 2, sensorIds: [SOIL.id, soils[0]] },
        { channelNumber: 1, sensorIds: [] },
      ],
    });
    expect(answer.statusCode).toBe(200);
    const { deviceKey, mqtt, ...controller } = answer.json();
    expect(mqtt.port).toBe(farm.app.mqttPort);
    expect(parse(Controller, controller).ok).toBe(true);
    expect(controller).toMatchObject({
      serial: 830_001,
      name: "밸브 1",
      description: "north",
      type: "CON04V",
      clusterId: 1,
    });
    expect(membersOf(controller)).toEqual([
      [1, []],
      [2, [SOIL.id, soils[0]]],
    ]);
    await farm.connect({ id: controller.id, serial: 830_001, key: deviceKey });
    expect(farm.app.deviceIndex.bySerial(830_001)?.channels).toHaveLength(2);
    await eventually(() => expect(received).toContainEqual(changed(controller.id)));
    expect(membersOf(await fresh({ channels: undefined }))).toEqual([]);
  });

  test.each([
    ["no name", { name: undefined }, 422, "name"],
    ["a blank name", { name: " " }, 422, "name"],
    ["a serial of letters", { serial: "x1" }, 422, "serial"],
    ["an unknown type", { type: "CON99" }, 422, "type"],
    ["no type", { type: undefined }, 422, "type"],
    ["channel 9", { channels: [{ channelNumber: 9, sensorIds: [] }] }, 422, "channels.0.channelNumber"],
    ["channel 0", { channels: [{ channelNumber: 0, sensorIds: [] }] }, 422, "channels.0.channelNumber"],
    ["a channel twice", { channels: [{ channelNumber: 1 }, { channelNumber: 1 }] }, 422, "channels"],
    ["channels that are a word", { channels: "all" }, 422, "channels"],
    ["a taken serial", { serial: SOIL.serial }, 409, "serial"],
  ])("[controller] %s is refused", async (_case, body, status, field) => {
    const answer = await add(body);
    expect([answer.statusCode, answer.json().errors[0].field]).toEqual([status, field]);
  });

  test("[controller] refuses nine channels, and four sensors on one", async () => {
    const nine = Array.from({ length: 9 }, (_, index) => ({ channelNumber: (index % 8) + 1 }));
    expect((await add({ channels: nine })).json().errors[0].field).toBe("channels");
    const four = await add({ channels: [{ channelNumber: 1, sensorIds: soils }] });
    expect(four.json()).toMatchObject({
      status: 422,
      errors: [{ field: "channels", defaultMessage: "sensors per channel max 3" }],
    });
    const three = await add({ channels: [{ channelNumber: 1, sensorIds: soils.slice(0, 3) }] });
    expect(three.statusCode).toBe(200);
  });

  test("[controller] accepts only sensor kinds of its type, and of its own account", async () => {
    const on = (sensorId: string, type: string) =>
      add({ type, channels: [{ channelNumber: 1, sensorIds: [sensorId] }] });
    expect((await on(WEATHER.id, "CON04V")).json()).toMatchObject({
      status: 422,
      errors: [
        {
          field: "channels",
          defaultMessage: "controllers of type CON04V do not support sensors of type ATS02",
        },
      ],
    });
    expect((await on(WEATHER.id, "CON04E")).statusCode).toBe(200);
    expect((await on(SOIL.id, "CON01W")).statusCode).toBe(422);
    expect((await on(COT.id, "CON04V")).statusCode).toBe(422);
    expect((await on(FOREIGN.id, "CON04V")).statusCode).toBe(404);
    expect((await on("nonsense", "CON04V")).statusCode).toBe(404);
    expect((await add({ clusterId: 2 })).statusCode).toBe(404);
  });
});

describe("[controller] changing", () => {
  test("[controller] adds or replaces listed channels; unlisted ones stay", async () => {
    const made = await fresh({
      channels: [
        { channelNumber: 1, sensorIds: [soils[0], soils[1]] },
        { channelNumber: 2, sensorIds: [soils[2]] },
      ],
    });
    const answer = await callers.ask("PUT", `${URL}/${made.id}`, {
      serial: made.serial,
      name: "Renamed",
      description: "moved",
      controllerId: made.id,
      clusterId: 1,
      channels: [
        { channelNumber: 1, controllerId: made.id, sensorIds: [soils[1], soils[3]] },
        { channelNumber: 5, controllerId: made.id, sensorIds: [] },
      ],
    });
    expect(answer.json()).toMatchObject({
      name: "Renamed",
      description: "moved",
      type: "CON04V",
      clusterId: 1,
    });
    expect(membersOf(answer.json())).toEqual([
      [1, [soils[1], soils[3]]],
      [2, [soils[2]]],
      [5, []],
    ]);
    expect(answer.json().channels[0].id).toBe(made.channels[0].id);
    const bare = await callers.ask("POST", `${URL}/${made.id}`, { serial: made.serial, name: "Again" });
    expect(bare.json()).toMatchObject({ name: "Again", description: "moved", clusterId: 1 });
    expect(membersOf(bare.json())).toHaveLength(3);
  });

  test("[controller] existing sensors may stay; a new type must accept them", async () => {
    const made = await fresh({ channels: [{ channelNumber: 1, sensorIds: [soils[0]] }] });
    await farm.app.database.query("insert into channel_sensor values ($1, $2)", [
      made.channels[0].id,
      COT.id,
    ]);
    const put = (body: object) =>
      callers.ask("PUT", `${URL}/${made.id}`, { serial: made.serial, name: "Box", ...body });
    const kept = await put({ channels: [{ channelNumber: 1, sensorIds: [COT.id, soils[0]] }] });
    expect(membersOf(kept.json())).toEqual([[1, [COT.id, soils[0]]]]);
    const other = await put({ type: "CON01W" });
    expect([other.statusCode, other.json().errors[0].field]).toEqual([422, "type"]);
    const emptied = await put({ type: "CON01W", channels: [{ channelNumber: 1, sensorIds: [] }] });
    expect(emptied.json().type).toBe("CON01W");
  });

  test("[controller] a new serial ends the old one's connection; a taken one is 409", async () => {
    const made = await fresh();
    const device = await farm.connect({ id: made.id, serial: made.serial, key: made.deviceKey });
    const closed = new Promise((resolve) => device.once("close", () => resolve(null)));
    const put = (to: number) => callers.ask("PUT", `${URL}/${made.id}`, { serial: to, name: "Box" });
    expect((await put(VALVES.serial)).statusCode).toBe(409);
    expect((await put(839_999)).json().serial).toBe(839_999);
    await closed;
    await farm.connect({ id: made.id, serial: 839_999, key: made.deviceKey });
  });
});

describe("[controller] deleting", () => {
  test("[controller] removes a sensor from a channel by its id or its serial, once", async () => {
    const made = await fresh({ channels: [{ channelNumber: 1, sensorIds: [soils[0], soils[1]] }] });
    const url = `/api/v1/sensor/channel/${made.channels[0].id}/sensor`;
    const off = async (sensor: string | number) =>
      (await callers.ask("DELETE", `${url}/${sensor}`)).statusCode;
    expect([await off(soils[0] ?? ""), await off(810_002)]).toEqual([204, 204]);
    expect([await off(810_002), await off("nonsense"), await off(FOREIGN.id)]).toEqual([404, 404, 404]);
    expect(membersOf((await callers.ask("GET", `${URL}/${made.id}`)).json())).toEqual([[1, []]]);
  });

  test("[controller] a deleted channel is closed, its mode is reset, and its state is removed", async () => {
    const made = await fresh({ channels: [{ channelNumber: 1 }, { channelNumber: 2 }] });
    const device = await farm.connect({ id: made.id, serial: made.serial, key: made.deviceKey });
    const sent: string[] = [];
    device.on("message", (topic, payload) => {
      sent.push(`${topic.split("/cmd/")[1]} ${JSON.parse(payload.toString()).state ?? ""}`.trim());
    });
    await device.subscribeAsync(`mulkko/${made.serial}/ch/1/cmd/#`, { qos: 1 });
    await device.publishAsync(`mulkko/${made.serial}/ch/1/state`, '{"onoff": 1}', { qos: 1 });
    const [first] = made.channels;
    expect((await callers.ask("DELETE", pathTo(channelDelete, { channelId: first.id }))).statusCode).toBe(
      204,
    );
    await eventually(() =>
      expect(sent.slice(-5)).toEqual(["mode", "automatic", "reservation", "period", "onoff 2"]),
    );
    const left = (await callers.ask("GET", `${URL}/${made.id}`)).json();
    expect(membersOf(left)).toEqual([[2, []]]);
    expect(farm.app.deviceIndex.byId(made.id)?.channels).toHaveLength(1);
    expect((await callers.ask("DELETE", pathTo(channelDelete, { channelId: first.id }))).statusCode).toBe(
      404,
    );
    await callers.ask("PUT", `${URL}/${made.id}`, {
      serial: made.serial,
      name: "Box",
      channels: [{ channelNumber: 1 }],
    });
    const [again] = (await callers.ask("GET", `${URL}/${made.id}`)).json().channels;
    const state = await callers.ask("GET", `${URL}/${made.serial}/channel/${again.id}/refresh`);
    expect(state.json()).toMatchObject({ onoff: 0, createdDate: null });
  });

  test("[controller] deleting it closes its valves and ends its connection", async () => {
    const made = await fresh({ channels: [{ channelNumber: 3, sensorIds: [soils[0]] }] });
    const device = await farm.connect({ id: made.id, serial: made.serial, key: made.deviceKey });
    const closings: string[] = [];
    device.on("message", (_topic, payload) => closings.push(payload.toString()));
    await device.subscribeAsync(`mulkko/${made.serial}/ch/+/cmd/onoff`, { qos: 1 });
    const closed = new Promise((resolve) => device.once("close", () => resolve(null)));
    expect((await callers.ask("DELETE", `${URL}/${made.id}`)).statusCode).toBe(204);
    await closed;
    expect(closings.map((text) => JSON.parse(text).state)).toEqual([2]);
    expect((await callers.ask("GET", `${URL}/${made.id}`)).statusCode).toBe(404);
    expect(farm.app.deviceIndex.bySerial(made.serial)).toBeUndefined();
  });

  const foreign = [
    ["PUT", `${URL}/${FOREIGN_VALVES.id}`, { serial: FOREIGN_VALVES.serial, name: "Mine" }],
    ["POST", `${URL}/${FOREIGN_VALVES.id}`, { serial: FOREIGN_VALVES.serial, name: "Mine" }],
    ["DELETE", pathTo(channelDelete, { channelId: 4 }), undefined],
    ["DELETE", pathTo(channelSensorRemove, { channelId: 3, sensorId: FOREIGN.id }), undefined],
    ["PUT", `${URL}/${SOIL.id}`, { serial: 1, name: "A sensor" }],
    ["DELETE", `${URL}/nonsense`, undefined],
    ["DELETE", pathTo(channelDelete, { channelId: "x" }), undefined],
    ["DELETE", `${URL}/${FOREIGN_VALVES.id}`, undefined],
  ] as const;

  test.each(foreign)("[separation] %s %s is 404, and 401 without a token", async (method, url, body) => {
    expect((await callers.ask(method, url, body)).statusCode).toBe(404);
    expect((await callers.ask(method, url, body, "nobody")).statusCode).toBe(401);
  });

  test("[separation] an administrator may use any controller; its sensors must be its owner's", async () => {
    const url = `${URL}/${FOREIGN_VALVES.id}`;
    const put = (sensorId: string) =>
      callers.ask(
        "PUT",
        url,
        {
          serial: FOREIGN_VALVES.serial,
          name: "Seen to",
          channels: [{ channelNumber: 1, sensorIds: [sensorId] }],
        },
        "overseer",
      );
    expect((await put(SOIL.id)).statusCode).toBe(404);
    expect((await put(FOREIGN.id)).json()).toMatchObject({ name: "Seen to" });
    expect(
      (await callers.ask("DELETE", pathTo(channelDelete, { channelId: 4 }), undefined, "overseer"))
        .statusCode,
    ).toBe(204);
  });
});
