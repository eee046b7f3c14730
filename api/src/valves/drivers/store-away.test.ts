import type { ControllerState } from "@mulkko/shared/entities/controller-state";
import {
  channelState,
  controllerCommand,
  controllerUpdate,
} from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Callers, signInAll } from "../../../testing/callers.ts";
import { type FakeShelly, startFakeShelly } from "../../../testing/drivers/fake-shelly.ts";
import { SOIL, startTestFarm, type TestFarm, VALVES } from "../../../testing/test-farm.ts";
import { type Database, DatabaseError, type Param } from "../../database/database.ts";

const ADDRESS = "valve-house";
const CHANNEL = "/api/v1/controller/channel/1";
/** A busy machine is slow. */
const until = (proof: () => unknown) => vi.waitFor(proof, { timeout: 20_000, interval: 50 });
/** Time in which a mode has looked at its valve twice. */
const twoLooks = () => new Promise((resolve) => setTimeout(resolve, 1_200));

let farm: TestFarm;
let callers: Callers;
let valve: FakeShelly;
let whole: Pick<Database, "query" | "transaction">;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());
beforeEach(async () => {
  callers = await signInAll(farm);
  whole = { query: farm.app.database.query, transaction: farm.app.database.transaction };
  await setDriver("shelly-gen2", ADDRESS);
  valve = await startFakeShelly({ connect: () => farm.connect(VALVES), address: ADDRESS, clock: farm.clock });
  await until(() => expect(farm.app.ingest.links.of(VALVES.id).online).toBe(true));
  farm.clock.advance(1_000);
  // All that it says at its start is stored: writes that fail would end its connection.
  for (const channel of [1, 2]) await shows({ onoff: 2, limit: "valve" }, channel);
});
afterEach(async () => {
  Object.assign(farm.app.database, whole);
  await callers.ask("PUT", `${CHANNEL}/mode`, { active: "none" });
  await valve.leave();
  await setDriver("native", null);
  // Its driver ends now, and with it what it remembers.
  await farm.app.valves.look();
  for (const table of ["channel_state", "soft_channel"]) {
    await farm.app.database.query(`delete from ${table}`);
  }
});

const setDriver = (driver: string, address: string | null) =>
  callers.ask("PUT", pathTo(controllerUpdate, { id: VALVES.id }), {
    ...{ serial: VALVES.serial, name: "Valves", driver, address },
  });
const state = async (channelId: number): Promise<ControllerState> =>
  (await callers.ask("GET", pathTo(channelState, { serial: VALVES.serial, channelId }))).json();
const shows = (expected: object, channelId = 1) =>
  until(async () => expect(await state(channelId)).toMatchObject(expected));
const turn = (payload: 1 | 2) =>
  callers.ask("POST", controllerCommand.path, {
    ...{ uuid: VALVES.id, command: "onoff", deviceType: "controller", channel: 1, payload },
    ...(payload === 1 && { maxRunSeconds: 600 }),
  });
const pass = async (ms: number) => {
  farm.clock.advance(ms);
  await valve.tick();
};
const measure = async (moisture: number) => {
  farm.clock.advance(1_000);
  const sensor = await farm.connect(SOIL);
  await sensor.publishAsync(`mulkko/${SOIL.serial}/up`, JSON.stringify({ moisture }), { qos: 1 });
  await sensor.endAsync();
};

/** Let every write of the database fail, as on a full disk; reads go on. */
function failWrites(): void {
  const isWrite = (sql: string) => /\b(insert|update|delete)\b/i.test(sql);
  const full = () => Promise.reject(new DatabaseError("cannot write", "53100"));
  const failing: Pick<Database, "query" | "transaction"> = {
    query: (sql: string, ...more: [(readonly Param[])?, ("urgent" | "normal" | "history")?]) =>
      isWrite(sql) ? full() : whole.query(sql, ...more),
    transaction: (work, queue) =>
      whole.transaction(
        (tx) => work({ query: (sql, params) => (isWrite(sql) ? full() : tx.query(sql, params)) }),
        queue,
      ),
  };
  Object.assign(farm.app.database, failing);
}

describe("while writes fail", () => {
  test("[AUTO-9] automatic closes at its upper bound", async () => {
    await measure(20);
    await callers.ask("POST", `${CHANNEL}/trigger`, { lowerBound: 25, upperBound: 30, wateringDuration: 20 });
    await shows({ onoff: 1 });
    await measure(30);
    failWrites();
    farm.clock.advance(10_000);
    await until(() => expect(valve.isOpen(0)).toBe(false));
  });

  test("[AUTO-9] a mode without repeat that ended is over when writes succeed again", async () => {
    await callers.ask("POST", `${CHANNEL}/period`, { wateringInterval: 60, wateringDuration: 5, repeat: 2 });
    await shows({ period: 1 });
    await twoLooks();
    await pass(60 * 60_000);
    callers = await signInAll(farm);
    await shows({ onoff: 1 });
    failWrites();
    farm.clock.advance(5 * 60_000);
    // Its report is not acknowledged, and the broker ends the connection.
    void valve.tick();
    await until(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
    expect(valve.isOpen(0)).toBe(false);
    Object.assign(farm.app.database, whole);
    await valve.reboot();
    farm.clock.advance(5_000);
    await shows({ period: 0 });
    await pass(60 * 60_000);
    callers = await signInAll(farm);
    await twoLooks();
    await shows({ onoff: 2, period: 0 });
    expect(valve.isOpen(0)).toBe(false);
  });

  test("[AUTO-9] a mode that is switched off closes, although it stays in charge", async () => {
    await measure(20);
    await callers.ask("POST", `${CHANNEL}/trigger`, { lowerBound: 25, wateringDuration: 20 });
    await shows({ onoff: 1 });
    failWrites();
    expect((await callers.ask("PUT", `${CHANNEL}/mode`, { active: "none" })).statusCode).toBe(503);
    await until(() => expect(valve.isOpen(0)).toBe(false));
  });

  test("[AUTO-9] a close is sent, and an opening is refused", async () => {
    await turn(1);
    await shows({ onoff: 1 });
    failWrites();
    expect((await turn(1)).statusCode).toBe(503);
    expect((await turn(2)).statusCode).toBe(200);
    await until(() => expect(valve.isOpen(0)).toBe(false));
  });

  test("[AUTO-9] no mode opens what the store has not taken", async () => {
    await measure(40);
    await callers.ask("POST", `${CHANNEL}/trigger`, { lowerBound: 25, wateringDuration: 20 });
    await shows({ automatic: 1 });
    await twoLooks();
    await measure(20);
    failWrites();
    farm.clock.advance(10_000);
    await twoLooks();
    expect(valve.isOpen(0)).toBe(false);
    Object.assign(farm.app.database, whole);
    farm.clock.advance(10_000);
    await shows({ onoff: 1 });
  });
});
