import type { ControllerState } from "@mulkko/shared/entities/controller-state";
import { channelState, controllerUpdate, reservationAdd } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { connectAsync } from "mqtt";
import { expect, test, vi } from "vitest";
import { signInAll } from "../../../testing/callers.ts";
import { startFakeShelly } from "../../../testing/drivers/fake-shelly.ts";
import { startTestFarm, VALVES } from "../../../testing/test-farm.ts";
import { build } from "../../app.ts";
import { readConfig } from "../../config.ts";
import type { App } from "../../http/server.ts";

const ADDRESS = "valve-house";
/** A busy machine is slow. */
const until = (proof: () => unknown) => vi.waitFor(proof, { timeout: 20_000, interval: 50 });

test("[RUN-2] after the API dies during a run the valve closes at its end, and the next start sees it without opening again", async () => {
  const farm = await startTestFarm();
  const callers = await signInAll(farm);
  let app: App = farm.app;
  const connect = () =>
    connectAsync(`mqtt://127.0.0.1:${app.mqttPort}`, {
      username: String(VALVES.serial),
      password: VALVES.key,
      reconnectPeriod: 0,
    });
  const state = async (): Promise<ControllerState> => {
    const url = pathTo(channelState, { serial: VALVES.serial, channelId: 1 });
    return (await app.inject({ url, headers: { authorization: token } })).json();
  };
  const { authorization: token } = await farm.signIn("farmer-one");
  const shows = (expected: object) => until(async () => expect(await state()).toMatchObject(expected));

  const body = { serial: VALVES.serial, name: "Valves", driver: "shelly-gen2", address: ADDRESS };
  await callers.ask("PUT", pathTo(controllerUpdate, { id: VALVES.id }), body);
  const shelly = await startFakeShelly({ connect, address: ADDRESS, clock: farm.clock });
  await until(() => expect(app.ingest.links.of(VALVES.id).online).toBe(true));
  farm.clock.advance(1_000);
  await shows({ onoff: 2 });
  // A mode's run, which the next process might repeat by mistake.
  await callers.ask("POST", pathTo(reservationAdd, { channelId: 1 }), {
    onTime: "12:10",
    offDelayMinutes: 2,
    repeat: 1,
  });
  await until(async () => expect(await state()).toMatchObject({ reservation: 1, reservationTime: "12:10" }));
  farm.clock.advance(10 * 60_000 - 1_000);
  await shows({ onoff: 1, reservation: 1 });
  await app.close();
  expect(shelly.isOpen(0)).toBe(true);
  farm.clock.advance(30_000);
  const config = readConfig({
    API_PORT: "0",
    MQTT_HOST: "127.0.0.1",
    MQTT_PORT: "0",
    DATA_DIR: farm.folder,
    DEMO: "off",
    LOG_LEVEL: "silent",
  });
  app = await build(config, { clock: farm.clock });
  // No message of the valve has arrived yet: its last state still applies.
  await shows({ onoff: 1 });
  farm.clock.advance(90_000);
  await shelly.tick();
  expect(shelly.isOpen(0)).toBe(false);
  const opened = shelly.asked.filter((method) => method === "Switch.Set 0").length;
  await shelly.reboot();
  await until(() => expect(app.broker.hasSession(VALVES.serial)).toBe(true));
  farm.clock.advance(1_000);
  await shows({ onoff: 2, runUntil: null, reservation: 1 });
  farm.clock.advance(60_000);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(shelly.isOpen(0)).toBe(false);
  expect(shelly.asked.filter((method) => method === "Switch.Set 0")).toHaveLength(opened);
  await shelly.leave();
  await app.close();
  await farm.close();
}, 60_000);
