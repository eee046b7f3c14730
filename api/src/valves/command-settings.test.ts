import { channelState, controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Callers, signInAll } from "../../testing/callers.ts";
import { COT, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
const received: [string, unknown][] = [];

beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  const valves = await farm.connect(VALVES);
  valves.on("message", (topic, payload) => {
    const { at: _at, revision: _revision, ...body } = JSON.parse(payload.toString());
    received.push([topic.replace(/.*\/ch\/(\d)\/cmd\//, "$1 "), body]);
  });
  await valves.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/+`, { qos: 1 });
});
afterAll(() => farm.close());

const get = async (name: string) => (await callers.ask("GET", `/api/v1/controller/channel/2/${name}`)).json();
const flags = async () => {
  const url = pathTo(channelState, { serial: VALVES.serial, channelId: 2 });
  const { automatic, reservation, period } = (await callers.ask("GET", url)).json();
  return { automatic, reservation, period };
};

describe("[command] of the watering modes", () => {
  const order = (
    command: string,
    payload: unknown = 1,
    more: object = {},
    url: string = sensorCommand.path,
  ) =>
    callers.ask("POST", url, {
      uuid: VALVES.id,
      command,
      deviceType: "controller",
      channel: 2,
      payload,
      ...more,
    });

  test("[command] a reset deletes the setting and clears its flag, and leaves another mode active", async () => {
    const url = controllerCommand.path;
    const channel = "/api/v1/controller/channel/2";
    await callers.ask("POST", `${channel}/period`, { wateringDuration: 5 });
    await callers.ask("POST", `${channel}/trigger`, { lowerBound: 5, wateringDuration: 5 });
    expect((await order("period/reset", 1, {}, url)).json()).toEqual({ commandId: expect.any(String) });
    expect([await get("period"), await flags()]).toEqual([null, { automatic: 1, reservation: 0, period: 0 }]);
    expect((await order("automatic/reset", 1, {}, url)).statusCode).toBe(200);
    expect([await get("trigger"), await flags()]).toEqual([
      null,
      { automatic: 0, reservation: 0, period: 0 },
    ]);
    // One of the messages sent because the device has subscribed.
    await eventually(() =>
      expect(received.map((_one, index) => received.slice(index, index + 2))).toContainEqual([
        ["2 automatic", { setting: null }],
        ["2 mode", { active: "none" }],
      ]),
    );
    expect((await order("reservation/reset", 1, {}, url)).statusCode).toBe(200);
  });

  test("[command] the older commands set one value at a time; the mode becomes active, even if incomplete", async () => {
    for (const [command, payload] of [
      ["automatic/low", 20],
      ["automatic/high", "40.5"],
      ["automatic/watering", 10],
      ["reservation/time", "05:45"],
      ["reservation/watering", 12],
      ["reservation/repeat", 1],
      ["period/time/m", 120],
      ["period/repeat", 2],
    ] as const) {
      expect((await order(command, payload)).statusCode).toBe(200);
    }
    expect(await get("trigger")).toMatchObject({ lowerBound: 20, upperBound: 40.5, wateringDuration: 10 });
    expect(await get("reservation")).toMatchObject({
      wateringDuration: 12,
      onTime: "05:45",
      repeat: true,
    });
    expect(await get("period")).toMatchObject({
      wateringDuration: null,
      wateringInterval: 120,
      repeat: false,
    });
    await eventually(() =>
      expect(received.map((_one, index) => received.slice(index, index + 2))).toContainEqual([
        ["2 period", { setting: { wateringDuration: null, wateringInterval: 120, repeat: false } }],
        ["2 mode", { active: "period" }],
      ]),
    );
    expect(await flags()).toEqual({ automatic: 0, reservation: 0, period: 1 });
  });

  test("[command] stores the settings of a COT sensor too", async () => {
    const cot = { uuid: COT.id, channel: 2 };
    expect((await order("automatic/low", 15, cot)).statusCode).toBe(200);
    expect((await order("automatic/watering", 4, cot)).statusCode).toBe(200);
    const url = pathTo(channelState, { serial: COT.serial, channelId: 2 });
    expect((await callers.ask("GET", url)).json()).toMatchObject({
      automatic: 1,
      automaticLowMoisture: 15,
      automaticWatering: 4,
    });
    expect((await order("automatic/reset", 1, cot)).statusCode).toBe(200);
    expect((await callers.ask("GET", url)).json()).toMatchObject({ automatic: 0, automaticWatering: null });
    expect(farm.app.deviceIndex.byId(COT.id)?.channels).toHaveLength(2);
  });

  test.each([
    ["automatic/low", 101],
    ["automatic/low", 50],
    ["automatic/high", "wet"],
    ["automatic/high", ""],
    ["automatic/watering", 0],
    ["reservation/time", "25:00"],
    ["reservation/repeat", 3],
    ["period/time/m", 43_201],
    ["period/watering", 1.5],
  ])("[command] %s %j is 422", async (command, payload) => {
    const answer = await order(command, payload);
    expect([answer.statusCode, answer.json().errors[0].field]).toEqual([422, "payload"]);
    expect(await get("trigger")).toMatchObject({ lowerBound: 20 });
  });

  test("[command] allows single values on the older path only; an unknown command is 422 on both", async () => {
    expect((await order("automatic/low", 5, {}, controllerCommand.path)).json().errors[0].field).toBe(
      "command",
    );
    expect((await order("automatic/sideways", 5)).json().errors[0].field).toBe("command");
  });
});
