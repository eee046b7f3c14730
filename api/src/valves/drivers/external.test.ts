import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { connectAsync } from "mqtt";
import { expect, test, vi } from "vitest";
import { signInAll } from "../../../testing/callers.ts";
import { startFakeTasmota } from "../../../testing/drivers/fake-tasmota.ts";
import { startTestFarm, VALVES } from "../../../testing/test-farm.ts";

/** A broker and a database are slow on a busy machine. */
const until = (proof: () => unknown) => vi.waitFor(proof, { timeout: 20_000, interval: 50 });

test("[drivers] with an external broker subscribes to the valves' topics, including retained messages, and sends opens with their end", async () => {
  const mosquitto = await startMosquitto();
  const farm = await startTestFarm({ MQTT_URL: mosquitto.url });
  const callers = await signInAll(farm);
  const valve = await startFakeTasmota({
    connect: () => connectAsync(mosquitto.url),
    address: "valve-house",
    clock: farm.clock,
  });
  const world = await connectAsync(mosquitto.url);
  await world.publishAsync("tele/valve-house/LWT", "Online", { qos: 1, retain: true });
  await until(() => expect(farm.app.broker.isUp()).toBe(true));
  await callers.ask("PUT", `/api/v1/controller/${VALVES.id}`, {
    serial: VALVES.serial,
    name: "Valves",
    driver: "tasmota",
    address: "valve-house",
  });
  const state = async () =>
    (await callers.ask("GET", `/api/v1/controller/${VALVES.serial}/channel/1/refresh`)).json();
  // The retained status word alone is no contact: the valve is asked, and its answer is.
  expect(farm.app.ingest.links.of(VALVES.id).online).toBeNull();
  await until(() => {
    farm.clock.advance(1_000);
    expect(farm.app.ingest.links.of(VALVES.id).online).toBe(true);
  });
  await until(async () => expect(await state()).toMatchObject({ onoff: 2, limit: "valve" }));
  const sent = await callers.ask("POST", "/api/v1/controller/cmd", {
    uuid: VALVES.id,
    command: "onoff",
    channel: 1,
    payload: 1,
    maxRunSeconds: 60,
  });
  expect(sent.statusCode).toBe(200);
  await until(async () =>
    expect(await state()).toMatchObject({ onoff: 1, commandId: sent.json().commandId }),
  );
  expect(valve.received).toContain("Backlog0 PulseTime1 160; Power1 ON");
  // A will comes after all that its device has said.
  await valve.leave();
  await world.publishAsync("tele/valve-house/LWT", "Offline", { qos: 1, retain: true });
  await until(async () => expect(await state()).toMatchObject({ link: "lost" }));
  await world.endAsync(true);
  await farm.close();
  await mosquitto.stop();
}, 40_000);
