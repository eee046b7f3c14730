import type { ControllerState } from "@mulkko/shared/entities/controller-state";
import {
  channelState,
  controllerCommand,
  controllerDelete,
  controllerRead,
  controllerUpdate,
  reservationAdd,
} from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import type { Clock } from "@mulkko/shared/rules/clock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Callers, signInAll } from "../../../testing/callers.ts";
import { type FakeShelly, startFakeShelly } from "../../../testing/drivers/fake-shelly.ts";
import { type FakeTasmota, startFakeTasmota } from "../../../testing/drivers/fake-tasmota.ts";
import {
  FOREIGN_VALVES,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../../testing/test-farm.ts";
import { LIMIT_SECONDS } from "./driver.ts";

const ADDRESS = "valve-house";
/** A busy machine is slow. */
const until = (proof: () => unknown) => vi.waitFor(proof, { timeout: 20_000, interval: 50 });
const CHANNEL = "/api/v1/controller/channel/1";
let farm: TestFarm;
let callers: Callers;
let device: FakeShelly | FakeTasmota | undefined;

beforeAll(async () => {
  farm = await startTestFarm();
});
beforeEach(() => leap(1_000));
afterAll(() => farm.close());
afterEach(async () => {
  await callers.ask("PUT", `${CHANNEL}/mode`, { active: "none" });
  await device?.leave();
  device = undefined;
  await setDriver("native", null);
  // Its driver ends now, and with it what it remembers.
  await farm.app.valves.look();
  await farm.app.database.query("delete from channel_state");
  await farm.app.database.query("delete from soft_channel");
});

const setDriver = async (driver: string, address: string | null, who = VALVES) =>
  callers.ask("PUT", pathTo(controllerUpdate, { id: who.id }), {
    serial: who.serial,
    name: "Valves",
    driver,
    address,
  });
const connect = () => farm.connect(VALVES);
const shelly = async (more: { isDeaf?: boolean; isLocked?: boolean; clock?: Clock } = {}) => {
  await setDriver("shelly-gen2", ADDRESS);
  device = await startFakeShelly({ connect, address: ADDRESS, clock: farm.clock, ...more });
  await greeted();
  return device;
};
const tasmota = async () => {
  await setDriver("tasmota", ADDRESS);
  device = await startFakeTasmota({ connect, address: ADDRESS, clock: farm.clock });
  await greeted();
  return device;
};
/** Wait for the connection, and for the delay in which the device may still be subscribing. */
const greeted = async () => {
  await until(() => expect(farm.app.ingest.links.of(VALVES.id).online).toBe(true));
  farm.clock.advance(1_000);
};
const state = async (channel = 1): Promise<ControllerState> =>
  (await callers.ask("GET", pathTo(channelState, { serial: VALVES.serial, channelId: channel }))).json();
const shows = (expected: object, channel = 1) =>
  until(async () => expect(await state(channel)).toMatchObject(expected));
const turn = (payload: 1 | 2, maxRunSeconds = 60) =>
  callers.ask("POST", controllerCommand.path, {
    uuid: VALVES.id,
    command: "onoff",
    deviceType: "controller",
    channel: 1,
    payload,
    ...(payload === 1 ? { maxRunSeconds } : {}),
  });
const iso = (ms: number) => new Date(farm.clock.now() + ms).toISOString();
/** Let enough time pass that every user must sign in again. */
const leap = async (ms: number) => {
  farm.clock.advance(ms);
  callers = await signInAll(farm);
};
/** Advance the clocks of farm and device. */
const pass = async (ms: number) => {
  farm.clock.advance(ms);
  await device?.tick();
};
const measure = async (moisture: number) => {
  farm.clock.advance(1_000);
  const sensor = await farm.connect(SOIL);
  await sensor.publishAsync(`mulkko/${SOIL.serial}/up`, JSON.stringify({ moisture }), { qos: 1 });
  await sensor.endAsync();
};

describe("a Shelly", () => {
  test("[CMD-5] a close of a closed valve, which it does not report, is confirmed by its status", async () => {
    const one = await shelly();
    await shows({ onoff: 2, limit: "valve" });
    const asked = () => one.asked.filter((method) => method === "Shelly.GetStatus status/1").length;
    const before = asked();
    await turn(2);
    await until(() => expect(asked()).toBe(before + 1));
  });

  test("[ONL-2] one that reports changes only is asked each minute", async () => {
    const one = await shelly();
    await shows({ onoff: 2, limit: "valve" });
    const asked = () => one.asked.filter((method) => method === "Shelly.GetStatus status/1").length;
    const before = asked();
    await pass(60_000);
    await until(() => expect(asked()).toBe(before + 1));
  });

  test("[ORD-4] that is silent has no contact by a saved mode, and its state keeps its time", async () => {
    const one = await shelly();
    await shows({ onoff: 2, limit: "valve" });
    await one.leave();
    device = undefined;
    const last = async () => {
      const [row] = await farm.app.database.query<{ at: number; heard_at: number; contact: number }>(
        `select state.at, state.heard_at, device_link.heard_at as contact from channel_state state
         join device_link on device_link.device_id = state.device_id where state.device_id = $1 and number = 1`,
        [VALVES.id],
      );
      return row;
    };
    const before = await last();
    await leap(20 * 60_000);
    const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
    const sent: unknown[] = [];
    relay.on("message", (_name, payload) => sent.push(JSON.parse(payload.toString())));
    await relay.subscribeAsync("mulkko/out/+/channel/1");
    await callers.ask("POST", pathTo(reservationAdd, { channelId: 1 }), {
      onTime: "05:10",
      offDelayMinutes: 2,
      repeat: 1,
    });
    await shows({ onoff: 2, reservation: 1 });
    expect(await last()).toEqual(before);
    await until(() => expect(sent.at(-1)).toMatchObject({ onoff: 2, reservation: 1, isLive: false }));
    await relay.endAsync();
  });

  test("[shelly] is set to be closed after power-up and limited, which is read back and shown", async () => {
    const one = await shelly();
    await shows({ onoff: 2, limit: "valve", link: "up" });
    await shows({ onoff: 2, limit: "valve" }, 2);
    expect(one).toMatchObject({
      asked: expect.arrayContaining(["Switch.SetConfig 0", "Switch.GetConfig 1"]),
    });
    expect((device as FakeShelly).configOf(0)).toMatchObject({
      initial_state: "off",
      auto_on: false,
      auto_off: true,
      auto_off_delay: LIMIT_SECONDS,
    });
  });

  test("[shelly] a device that cannot be configured is shown as unlimited, and still obeys", async () => {
    const one = await shelly({ isLocked: true });
    await shows({ onoff: 2, limit: "none" });
    await turn(1);
    await shows({ onoff: 1 });
    expect(one.isOpen(0)).toBe(true);
  });

  test("[RUN-2] an open shows its command and its end, and the valve closes by itself", async () => {
    const one = await shelly();
    await shows({ onoff: 2 });
    const { commandId } = (await turn(1, 60)).json();
    await shows({ onoff: 1, commandId, runUntil: iso(60_000) });
    await pass(60_000);
    expect(one.isOpen(0)).toBe(false);
    await shows({ onoff: 2, runUntil: null });
    expect((one as FakeShelly).asked.filter((method) => method === "Switch.Set 0")).toHaveLength(1);
  });

  test("[W-14] a run lasts to its end although the valve's clock, and so the end that it names, is behind", async () => {
    const { now, monotonic } = farm.clock;
    const one = await shelly({ clock: { now: () => now() - 40_000, monotonic } });
    await shows({ onoff: 2 });
    const { commandId } = (await turn(1, 60)).json();
    await shows({ onoff: 1, commandId });
    const sets = () => one.asked.filter((method) => method === "Switch.Set 0").length;
    await pass(40_000);
    await farm.app.valves.closeDue();
    // It is asked after a close, were one sent.
    await farm.app.valves.ask(VALVES.id, 1);
    await until(() => expect(one.asked.at(-1)).toMatch(/Get/));
    expect([one.isOpen(0), sets()]).toEqual([true, 1]);
  });

  test("[CMD-1] the valve's report confirms a close, with the command's id", async () => {
    await shelly();
    await shows({ onoff: 2 });
    await turn(1);
    await shows({ onoff: 1 });
    const { commandId } = (await turn(2)).json();
    await shows({ onoff: 2, commandId });
  });

  test("[CMD-6] opened by its own button it is shown as open, with the limit as its end", async () => {
    const one = await shelly();
    await shows({ onoff: 2, limit: "valve" });
    await one.press(0);
    await shows({ onoff: 1, commandId: null, runUntil: iso(LIMIT_SECONDS * 1_000) });
  });

  test("[shelly] a device that reboots during a run comes back closed, and is configured again", async () => {
    const one = await shelly();
    await shows({ onoff: 2, limit: "valve" });
    await turn(1, 600);
    await shows({ onoff: 1 });
    const before = (one as FakeShelly).asked.length;
    await (one as FakeShelly).reboot();
    await until(() => expect(farm.app.ingest.links.of(VALVES.id).online).toBe(true));
    farm.clock.advance(1_000);
    await shows({ onoff: 2, runUntil: null, limit: "valve" });
    expect((one as FakeShelly).asked.slice(before)).toContain("Switch.SetConfig 0");
    expect((one as FakeShelly).asked.slice(before)).not.toContain("Switch.Set 0");
  });

  test("[CMD-1] a device that never answers is never shown as open", async () => {
    await shelly({ isDeaf: true });
    expect((await turn(1)).statusCode).toBe(200);
    await pass(5_000);
    expect(await state()).toMatchObject({ onoff: 0, runUntil: null });
  });
});

describe("a Tasmota", () => {
  test("[tasmota] is set to be closed after power-up and limited, which is read back and shown", async () => {
    const one = await tasmota();
    await shows({ onoff: 2, limit: "valve" });
    await shows({ onoff: 2, limit: "valve" }, 2);
    expect([one.powerOnState(), one.pulseOf(1), one.pulseOf(2)]).toEqual([
      0,
      LIMIT_SECONDS + 100,
      LIMIT_SECONDS + 100,
    ]);
  });

  test("[RUN-2] a run is one message with its end, and afterwards the limit is restored", async () => {
    const one = await tasmota();
    await shows({ onoff: 2, limit: "valve" });
    const { commandId } = (await turn(1, 60)).json();
    await shows({ onoff: 1, commandId, runUntil: iso(60_000) });
    expect(one.received.filter((command) => /power\d (on|off)/i.test(command))).toEqual([
      "Backlog0 PulseTime1 160; Power1 ON",
    ]);
    await pass(60_000);
    await shows({ onoff: 2, limit: "valve" });
    expect(one.isOpen(1)).toBe(false);
    await until(() => expect(one.pulseOf(1)).toBe(LIMIT_SECONDS + 100));
  });

  test("[tasmota] no message stops a running pulse, however long it is monitored", async () => {
    const one = await tasmota();
    await shows({ onoff: 2 });
    await turn(1, 1_200);
    await shows({ onoff: 1 });
    const asked = one.received.length;
    farm.clock.advance(400_000);
    await until(() => expect(one.received.slice(asked)).toContain("STATUS 11"));
    await pass(800_000);
    expect(one.isOpen(1)).toBe(false);
    await shows({ onoff: 2 });
  });
});

describe("the soft controller", () => {
  test("[automatic] waters a channel below its lower bound, closes it at the upper one, and pauses", async () => {
    const one = await shelly();
    await shows({ onoff: 2 });
    await measure(20);
    await callers.ask("POST", `${CHANNEL}/trigger`, { lowerBound: 25, upperBound: 30, wateringDuration: 20 });
    await shows({ onoff: 1, automatic: 1, commandId: null, runUntil: iso(1_200_000) });
    await measure(30);
    farm.clock.advance(10_000);
    await shows({ onoff: 2, automatic: 1 });
    await measure(20);
    farm.clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(one.isOpen(0)).toBe(false);
    await leap(1_200_000);
    await shows({ onoff: 1 });
  });

  test("[period] a mode without repeat runs once, and its flag is cleared everywhere", async () => {
    await shelly();
    await shows({ onoff: 2 });
    await callers.ask("POST", `${CHANNEL}/period`, { wateringInterval: 60, wateringDuration: 5, repeat: 2 });
    await shows({ period: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await leap(60 * 60_000);
    await shows({ onoff: 1, period: 1 });
    await pass(5 * 60_000);
    await shows({ onoff: 2, period: 0 });
    const rows = await farm.app.database.query(
      "select mode from channel where controller_id = $1 and number = 1",
      [VALVES.id],
    );
    expect(rows).toEqual([{ mode: "none" }]);
  });

  test("[WAT-3] reports from when a period counts: its activation, a start, and one that is skipped", async () => {
    await shelly();
    await shows({ onoff: 2 });
    await callers.ask("POST", `${CHANNEL}/period`, { wateringInterval: 60, wateringDuration: 5, repeat: 1 });
    await shows({ period: 1, periodFrom: iso(0) });
    await leap(60 * 60_000);
    await shows({ onoff: 1, periodFrom: iso(0) });
    await pass(5 * 60_000);
    await shows({ onoff: 2, periodFrom: iso(-5 * 60_000) });
    await turn(1, 7_200);
    await shows({ onoff: 1 });
    // The next start is due three minutes before the user's close.
    await leap(58 * 60_000);
    await turn(2);
    await shows({ onoff: 2, periodFrom: iso(-3 * 60_000) });
  });

  test("[engine] a deactivated mode closes what it opened", async () => {
    const one = await shelly();
    await shows({ onoff: 2 });
    await measure(20);
    await callers.ask("POST", `${CHANNEL}/trigger`, { lowerBound: 25, wateringDuration: 20 });
    await shows({ onoff: 1 });
    await callers.ask("PUT", `${CHANNEL}/mode`, { active: "none" });
    await shows({ onoff: 2, automatic: 0 });
    expect(one.isOpen(0)).toBe(false);
  });

  test("[controller] an address belongs to one controller only, and the driver is shown", async () => {
    await setDriver("tasmota", ADDRESS);
    const shown = (await callers.ask("GET", pathTo(controllerRead, { id: VALVES.id }))).json();
    expect(shown).toMatchObject({ driver: "tasmota", address: ADDRESS });
    const taken = await callers.ask(
      "PUT",
      pathTo(controllerUpdate, { id: FOREIGN_VALVES.id }),
      {
        serial: FOREIGN_VALVES.serial,
        name: "Valves",
        driver: "shelly-gen2",
        address: ADDRESS.toUpperCase(),
      },
      "overseer",
    );
    expect([taken.statusCode, taken.json().code]).toEqual([409, "conflict"]);
    const wrong = await setDriver("shelly-gen2", "cmnd");
    expect([wrong.statusCode, wrong.json().errors[0].field]).toEqual([422, "address"]);
    const unknown = await setDriver("zigbee", ADDRESS);
    expect([unknown.statusCode, unknown.json().errors[0].field]).toEqual([422, "driver"]);
  });

  test("[automatic] does not open an offline valve; waters once it is back", async () => {
    const one = await shelly();
    await shows({ onoff: 2 });
    await one.leave();
    await until(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
    await measure(20);
    await callers.ask("POST", `${CHANNEL}/trigger`, { lowerBound: 25, wateringDuration: 20 });
    await leap(1_300_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await measure(19);
    device = await startFakeShelly({ connect, address: ADDRESS, clock: farm.clock });
    await greeted();
    await shows({ onoff: 1 });
    // Before or after the second that passes in `greeted`.
    expect([iso(1_200_000), iso(1_199_000)]).toContain((await state()).runUntil);
  });

  test("[controller] deleting a controller closes its valves", async () => {
    const one = await shelly();
    await shows({ onoff: 2 });
    await turn(1, 600);
    await shows({ onoff: 1 });
    expect((await callers.ask("DELETE", pathTo(controllerDelete, { id: VALVES.id }))).statusCode).toBe(204);
    await until(() => expect(one.isOpen(0)).toBe(false));
  });
});
