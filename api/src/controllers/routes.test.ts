import { Controller } from "@mulkko/shared/entities/controller";
import { ControllerState } from "@mulkko/shared/entities/controller-state";
import {
  channelMoisture,
  channelState,
  controllerList,
  controllerRead,
  periodRead,
  reservationRead,
  triggerRead,
} from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  COT,
  FOREIGN,
  FOREIGN_VALVES,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../testing/test-farm.ts";
import { storeReadings } from "../ingest/reading-store.ts";

let farm: TestFarm;
const headers: Record<string, { authorization: string }> = {};
const sign = async (): Promise<void> => {
  for (const name of ["farmer-one", "overseer"]) {
    headers[name] = { authorization: (await farm.signIn(name)).authorization };
  }
};
beforeAll(async () => {
  farm = await startTestFarm();
  await sign();
});
afterAll(() => farm.close());

const get = (url: string, who = "farmer-one") => farm.app.inject({ url, headers: headers[who] ?? {} });

describe("[controller]", () => {
  test("[controller] the list and the single one are complete, with channels and their sensors", async () => {
    const list = await get(controllerList.path);
    expect(parse(Type.Array(Controller), list.json()).ok).toBe(true);
    expect(list.json()).toMatchObject([
      {
        id: VALVES.id,
        serial: VALVES.serial,
        name: "Valves",
        description: "",
        type: "CON04V",
        clusterId: 0,
        externalId: null,
        profile: null,
        imagePath: null,
        channels: [
          {
            id: 1,
            channelNumber: 1,
            sensors: [{ id: SOIL.id, serial: SOIL.serial, name: `SMS ${SOIL.serial}` }],
          },
          { id: 2, channelNumber: 2, sensors: [] },
        ],
      },
    ]);
    expect((await get(pathTo(controllerRead, { id: VALVES.id }))).json()).toEqual(list.json()[0]);
  });

  test("[controller] a channel without a report is unknown; afterwards its report is the state", async () => {
    const url = pathTo(channelState, { serial: VALVES.serial, channelId: 1 });
    expect((await get(url)).json()).toMatchObject({
      serial: VALVES.serial,
      onoff: 0,
      createdDate: null,
      link: "up",
    });
    const valves = await farm.connect(VALVES);
    const runUntil = new Date(farm.clock.now() + 60_000).toISOString();
    const report = {
      onoff: 1,
      runUntil,
      commandId: "c-1",
      automatic: 1,
      automaticWatering: "15",
      period: null,
    };
    await valves.publishAsync(`mulkko/${VALVES.serial}/ch/1/state`, JSON.stringify(report), { qos: 1 });
    const state = (await get(url)).json();
    expect(parse(ControllerState, state).ok).toBe(true);
    expect(state).toMatchObject({
      onoff: 1,
      runUntil,
      commandId: "c-1",
      automatic: 1,
      automaticWatering: 15,
      period: 0,
      createdDate: "2026-11-21 12:00:00",
    });
    expect((await get(pathTo(channelState, { serial: VALVES.serial, channelId: 2 }))).json().onoff).toBe(0);
  });

  test("[controller] identifies a channel of a COT sensor by serial and number", async () => {
    const url = (number: number) => pathTo(channelState, { serial: COT.serial, channelId: number });
    expect((await get(url(2))).json()).toMatchObject({ serial: COT.serial, onoff: 0 });
    expect((await get(url(3))).statusCode).toBe(404);
  });

  test("[controller] moisture is the mean of values received within an hour, otherwise null", async () => {
    const url = pathTo(channelMoisture, { channelId: 1 });
    expect((await get(url)).body).toBe("null");
    const at = farm.clock.now();
    const reading = { at, receivedAt: at, fwversion: null, rssi: null };
    await storeReadings(farm.app.database, [{ ...reading, sensorId: SOIL.id, fields: { moisture: 30.25 } }]);
    expect((await get(url)).json()).toBe(30.25);
    await farm.app.database.query("insert into channel_sensor values (1, $1)", [COT.id]);
    await storeReadings(farm.app.database, [{ ...reading, sensorId: COT.id, fields: { moisture: 20.25 } }]);
    expect((await get(url)).json()).toBe(25.25);
    farm.clock.advance(60 * 60_000 + 1);
    await sign();
    expect((await get(url)).body).toBe("null");
    expect((await get(pathTo(channelMoisture, { channelId: 2 }))).body).toBe("null");
  });

  test("[controller] mode settings are null until they are set", async () => {
    const of = async (name: string) => (await get(`/api/v1/controller/channel/1/${name}`)).json();
    expect([await of("trigger"), await of("reservation"), await of("period")]).toEqual([null, null, null]);
    await farm.app.database.query(
      "insert into watering_trigger (channel_id, lower_bound, watering_duration) values (1, 22.5, 10)",
    );
    await farm.app.database.query(
      "insert into watering_reservation (channel_id, on_time, watering_duration, repeat) values (1, '06:30', 5, true)",
    );
    await farm.app.database.query(
      "insert into watering_period (channel_id, watering_interval, watering_duration) values (1, 240, 7)",
    );
    expect(await of("trigger")).toEqual({ id: 1, lowerBound: 22.5, upperBound: null, wateringDuration: 10 });
    expect(await of("reservation")).toEqual({ id: 1, wateringDuration: 5, onTime: "06:30", repeat: true });
    expect(await of("period")).toEqual({ id: 1, wateringDuration: 7, wateringInterval: 240, repeat: false });
  });

  test.each([
    pathTo(controllerRead, { id: FOREIGN_VALVES.id }),
    pathTo(channelState, { serial: FOREIGN_VALVES.serial, channelId: 3 }),
    pathTo(channelMoisture, { channelId: 3 }),
    pathTo(triggerRead, { channelId: 3 }),
    pathTo(reservationRead, { channelId: 4 }),
    pathTo(periodRead, { channelId: 3 }),
  ])("[separation] %s is another farmer's: 404, and an administrator may", async (url) => {
    const answer = await get(url);
    expect(answer.json()).toMatchObject({ status: 404, code: "not-found" });
    expect((await get(url, "overseer")).statusCode).toBe(200);
  });

  test.each([
    pathTo(controllerRead, { id: SOIL.id }),
    pathTo(controllerRead, { id: "nonsense" }),
    pathTo(channelState, { serial: VALVES.serial, channelId: 3 }),
    pathTo(channelState, { serial: VALVES.serial, channelId: "x" }),
    pathTo(channelState, { serial: FOREIGN.serial, channelId: 1 }),
    pathTo(channelState, { serial: 999, channelId: 1 }),
    pathTo(channelMoisture, { channelId: 99 }),
    pathTo(channelMoisture, { channelId: "-1" }),
    pathTo(triggerRead, { channelId: 99999999999 }),
  ])("[controller] %s is 404", async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });
});
