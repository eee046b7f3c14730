import {
  AutomaticCommand,
  ModeCommand,
  PeriodCommand,
  ReservationCommand,
} from "@mulkko/shared/mqtt/device-messages";
import {
  channelState,
  controllerCommand,
  modeEnable,
  triggerAdd,
} from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { PeriodSetting, ReservationSetting, TriggerSetting } from "@mulkko/shared/rest/watering";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Callers, listenAsRelay, type ReceivedOutput, signInAll } from "../../../testing/callers.ts";
import { FARMER, startTestFarm, type TestFarm, VALVES } from "../../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
let outputs: ReceivedOutput[];
let valves: MqttClient;
let published: { topic: string; body: Record<string, unknown>; retain: boolean }[] = [];

const SCHEMAS = {
  automatic: AutomaticCommand,
  reservation: ReservationCommand,
  period: PeriodCommand,
  mode: ModeCommand,
};

async function plug(): Promise<MqttClient> {
  const client = await farm.connect(VALVES);
  client.on("message", (topic, payload, { retain }) => {
    published.push({ topic, body: JSON.parse(payload.toString()), retain: retain === true });
  });
  await client.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/+`, { qos: 1 });
  return client;
}

/** Return the commands received by the controller, as `channel/command` and content. */
const commands = (): [string, unknown][] =>
  published.map(({ topic, body: { at: _at, revision: _revision, ...body } }) => [
    topic.replace(/.*\/ch\/(\d)\/cmd\//, "$1 "),
    body,
  ]);

beforeAll(async () => {
  farm = await startTestFarm();
  callers = await signInAll(farm);
  outputs = await listenAsRelay(farm);
  valves = await plug();
  // The settings that every new session receives, and a question for each state.
  await eventually(() => expect(published).toHaveLength(10));
});
afterAll(() => farm.close());
beforeEach(() => {
  published = [];
});

const URL = "/api/v1/controller/channel/1";
const get = async (name: string, channel = 1) =>
  (await callers.ask("GET", `/api/v1/controller/channel/${channel}/${name}`)).json();
const flags = async (channel = 1) => {
  const url = pathTo(channelState, { serial: VALVES.serial, channelId: channel });
  const { automatic, reservation, period } = (await callers.ask("GET", url)).json();
  return { automatic, reservation, period };
};

describe("[watering]", () => {
  test("[watering] a saved mode becomes active, and the controller and the relay are notified", async () => {
    expect(await get("trigger")).toBeNull();
    const answer = await callers.ask("POST", `${URL}/trigger`, {
      lowerBound: 20,
      upperBound: "35.5",
      wateringDuration: 10,
    });
    expect(answer.statusCode).toBe(200);
    expect(parse(TriggerSetting, answer.json()).ok).toBe(true);
    expect(answer.json()).toMatchObject({ lowerBound: 20, upperBound: 35.5, wateringDuration: 10 });
    expect(await get("trigger")).toEqual(answer.json());
    await eventually(() =>
      expect(commands()).toEqual([
        ["1 automatic", { setting: { lowerBound: 20, upperBound: 35.5, wateringDuration: 10 } }],
        ["1 mode", { active: "automatic" }],
      ]),
    );
    expect(published.every(({ retain }) => !retain)).toBe(true);
    await eventually(() =>
      expect(outputs).toContainEqual({
        topic: `mulkko/out/${FARMER}/changed`,
        body: { entity: "channel", id: 1 },
      }),
    );
    expect(await flags()).toEqual({ automatic: 1, reservation: 0, period: 0 });
  });

  test("[watering] writes a reservation under one name and reads it under another; saving it clears the other flags", async () => {
    const answer = await callers.ask("POST", `${URL}/reservation`, {
      offDelayMinutes: 15,
      onTime: "06:30",
      repeat: true,
    });
    expect(parse(ReservationSetting, answer.json()).ok).toBe(true);
    expect(answer.json()).toEqual({
      id: answer.json().id,
      wateringDuration: 15,
      onTime: "06:30",
      repeat: true,
    });
    await eventually(() =>
      expect(commands()).toEqual([
        [
          "1 reservation",
          { setting: { wateringDuration: 15, onTime: "06:30", repeat: true, timezone: "Asia/Seoul" } },
        ],
        ["1 mode", { active: "reservation" }],
      ]),
    );
    expect(await flags()).toEqual({ automatic: 0, reservation: 1, period: 0 });
    expect(await get("trigger")).not.toBeNull();
    const url = `${URL}/reservation/${answer.json().id}`;
    const changed = await callers.ask("PUT", url, { offDelayMinutes: 5, repeat: 2 });
    expect(changed.json()).toMatchObject({ wateringDuration: 5, onTime: null, repeat: false });
    expect((await callers.ask("POST", url, { wateringDuration: 6, repeat: 1 })).json()).toMatchObject({
      wateringDuration: 6,
      repeat: true,
    });
  });

  test("[watering] a period requires its duration only; forms are accepted too", async () => {
    const answer = await callers.form("POST", `${URL}/period`, {
      wateringDuration: "7",
      wateringInterval: "",
      repeat: "2",
    });
    expect(parse(PeriodSetting, answer.json()).ok).toBe(true);
    expect(answer.json()).toMatchObject({ wateringDuration: 7, wateringInterval: null, repeat: false });
    const again = await callers.ask("POST", `${URL}/period`, { wateringDuration: 8, wateringInterval: 240 });
    expect(again.json()).toEqual({ ...answer.json(), wateringDuration: 8, wateringInterval: 240 });
    expect(await flags()).toEqual({ automatic: 0, reservation: 0, period: 1 });
  });

  test("[mode-enable] saving an inactive mode keeps the active one; another is activated by its name", async () => {
    const saved = await callers.ask("POST", `${URL}/trigger`, {
      upperBound: 40,
      wateringDuration: 3,
      active: false,
    });
    expect(saved.json()).toMatchObject({ lowerBound: null, upperBound: 40 });
    expect(await flags()).toEqual({ automatic: 0, reservation: 0, period: 1 });
    const put = (active: string) => callers.ask("PUT", `${URL}/mode`, { active });
    expect((await put("automatic")).json()).toEqual({ active: "automatic" });
    expect(await flags()).toEqual({ automatic: 1, reservation: 0, period: 0 });
    expect((await put("none")).statusCode).toBe(200);
    expect(await flags()).toEqual({ automatic: 0, reservation: 0, period: 0 });
    expect(await get("period")).not.toBeNull();
    await eventually(() => expect(commands().at(-1)).toEqual(["1 mode", { active: "none" }]));
    expect((await put("sometimes")).json().errors[0].field).toBe("active");
    await put("automatic");
    const off = (insteadOf: string) => callers.ask("PUT", `${URL}/mode`, { active: "none", insteadOf });
    expect((await off("period")).json()).toEqual({ active: "automatic" });
    expect(await flags()).toEqual({ automatic: 1, reservation: 0, period: 0 });
    expect((await off("automatic")).json()).toEqual({ active: "none" });
    expect(await flags()).toEqual({ automatic: 0, reservation: 0, period: 0 });
    const unset = await callers.ask("PUT", pathTo(modeEnable, { channelId: 2 }), { active: "period" });
    expect([unset.statusCode, unset.json().errors[0].field]).toEqual([422, "active"]);
  });

  test.each([
    ["trigger", { lowerBound: 10 }, "wateringDuration", "run time is required"],
    ["trigger", { wateringDuration: 5 }, "lowerBound", "one of minimum or maximum moisture is required"],
    [
      "trigger",
      { lowerBound: -1, wateringDuration: 5 },
      "lowerBound",
      "minimum moisture must be from 0 to 100 %",
    ],
    [
      "trigger",
      { upperBound: 101, wateringDuration: 5 },
      "upperBound",
      "maximum moisture must be from 0 to 100 %",
    ],
    [
      "trigger",
      { lowerBound: 30, upperBound: 30, wateringDuration: 5 },
      "lowerBound",
      "minimum moisture must be below maximum moisture",
    ],
    [
      "trigger",
      { lowerBound: 3, wateringDuration: 1441 },
      "wateringDuration",
      "run time must be from 1 to 1440 minutes",
    ],
    ["reservation", { onTime: "06:30" }, "offDelayMinutes", "run time is required"],
    ["reservation", { offDelayMinutes: 0 }, "offDelayMinutes", "run time must be from 1 to 1440 minutes"],
    ["reservation", { offDelayMinutes: 5, onTime: "24:00" }, "onTime", "the time must be HH:mm"],
    ["reservation", { offDelayMinutes: 5, onTime: "6:30" }, "onTime", "the time must be HH:mm"],
    ["period", { wateringInterval: 5 }, "wateringDuration", "run time is required"],
    [
      "period",
      { wateringDuration: 5, wateringInterval: 0 },
      "wateringInterval",
      "interval must be from 1 to 43200 minutes",
    ],
  ])("[watering] %s %j is 422: %s, %s", async (name, body, field, defaultMessage) => {
    const answer = await callers.ask("POST", `/api/v1/controller/channel/2/${name}`, body);
    expect(answer.json()).toMatchObject({ status: 422, code: "validation" });
    expect(answer.json().errors).toContainEqual({ field, defaultMessage });
    expect(await get(name, 2)).toBeNull();
  });

  test.each([
    ["trigger", { lowerBound: "wet", wateringDuration: 5 }],
    ["trigger", { lowerBound: 5, wateringDuration: 1.5 }],
    ["trigger", { lowerBound: 5, wateringDuration: 5, active: "maybe" }],
    ["reservation", { offDelayMinutes: 5, repeat: 3 }],
    ["reservation", { offDelayMinutes: 5, onTime: {} }],
    ["period", []],
    ["mode", {}],
  ])("[watering] %s %j is of the wrong type: 422", async (name, body) => {
    const method = name === "mode" ? "PUT" : "POST";
    expect((await callers.ask(method, `/api/v1/controller/channel/2/${name}`, body)).statusCode).toBe(422);
  });

  test("[watering] bounds may be zero; lower must be below upper", async () => {
    const answer = await callers.ask("POST", `${URL}/trigger`, {
      lowerBound: 0,
      upperBound: 0.5,
      wateringDuration: 1,
    });
    expect(answer.json()).toMatchObject({ lowerBound: 0, upperBound: 0.5 });
  });

  test("[watering] a reconnecting controller receives all settings, including deletions", async () => {
    await valves.endAsync();
    await callers.ask("POST", `${URL}/period`, { wateringDuration: 9, wateringInterval: 60, repeat: true });
    await callers.ask("POST", controllerCommand.path, {
      uuid: VALVES.id,
      command: "reservation/reset",
      channel: 1,
      payload: 1,
    });
    expect(published).toEqual([]);
    valves = await plug();
    await eventually(() => expect(published).toHaveLength(10));
    const settings = commands().filter(([name]) => !name.endsWith("report"));
    expect(settings.slice(0, 4)).toEqual([
      ["1 automatic", { setting: { lowerBound: 0, upperBound: 0.5, wateringDuration: 1 } }],
      ["1 reservation", { setting: null }],
      ["1 period", { setting: { wateringDuration: 9, wateringInterval: 60, repeat: true } }],
      ["1 mode", { active: "period" }],
    ]);
    for (const { topic, body } of published) {
      const name = topic.split("/").at(-1) ?? "";
      if (name === "report") continue;
      const schema = Object.entries(SCHEMAS).find(([key]) => key === name)?.[1];
      expect(schema && parse(schema, body).ok).toBe(true);
    }
  });

  test("[watering] shows the mode that the device reports, otherwise the stored one", async () => {
    const report = { onoff: 2, automatic: 1, automaticLowMoisture: 11, automaticWatering: 2 };
    await valves.publishAsync(`mulkko/${VALVES.serial}/ch/1/state`, JSON.stringify(report), { qos: 1 });
    const url = pathTo(channelState, { serial: VALVES.serial, channelId: 1 });
    expect((await callers.ask("GET", url)).json()).toMatchObject({
      automatic: 1,
      automaticLowMoisture: 11,
      automaticHighMoisture: null,
      automaticWatering: 2,
      period: 1,
      periodTime: 60,
      periodWatering: 9,
      periodRepeat: 1,
    });
  });

  test.each(["3", "99", "x"])("[separation] channel %s is another's, or none: 404", async (channel) => {
    const url = `/api/v1/controller/channel/${channel}`;
    for (const [method, path, body] of [
      ["POST", "trigger", { lowerBound: 1, wateringDuration: 1 }],
      ["PUT", "reservation/1", { offDelayMinutes: 1 }],
      ["POST", "period", { wateringDuration: 1 }],
      ["PUT", "mode", { active: "none" }],
    ] as const) {
      expect((await callers.ask(method, `${url}/${path}`, body)).statusCode).toBe(404);
      expect((await callers.ask(method, `${url}/${path}`, body, "nobody")).statusCode).toBe(401);
    }
  });

  test("[watering] a missing setting, or one of another channel, is 404; an administrator may set any", async () => {
    const { id } = await get("trigger");
    const body = { lowerBound: 1, wateringDuration: 1 };
    for (const wrong of [`1/trigger/${id + 99}`, `2/trigger/${id}`, "1/trigger/x"]) {
      expect((await callers.ask("PUT", `/api/v1/controller/channel/${wrong}`, body)).statusCode).toBe(404);
    }
    const answer = await callers.ask("POST", pathTo(triggerAdd, { channelId: 3 }), body, "overseer");
    expect(answer.statusCode).toBe(200);
  });
});
