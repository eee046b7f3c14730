import { startMosquitto } from "@mulkko/e2e/engines/mosquitto";
import { topic } from "@mulkko/shared/mqtt/topics";
import { connectAsync } from "mqtt";
import { expect, test, vi } from "vitest";
import { FARMER, SOIL, startTestFarm, VALVES } from "../testing/test-farm.ts";

test("[broker] behind a broker elsewhere: readings in, outputs and commands out, 503 while it is away, and on again", async () => {
  const first = await startMosquitto();
  const farm = await startTestFarm({ MQTT_URL: first.url });
  await vi.waitFor(() => expect(farm.app.broker.isUp()).toBe(true));
  const bearer = { authorization: (await farm.signIn("farmer-one")).authorization };
  const command = (payload: number) =>
    farm.app.inject({
      method: "POST",
      url: "/api/v1/controller/cmd",
      headers: bearer,
      payload: { uuid: VALVES.id, command: "onoff", channel: 1, payload },
    });
  const latest = async () =>
    (await farm.app.inject({ url: `/api/v1/sensor/read/log/${SOIL.id}/latest`, headers: bearer })).json();

  const world = await connectAsync(first.url, { reconnectPeriod: 200 });
  world.on("error", () => undefined);
  const heard: string[] = [];
  world.on("message", (name) => heard.push(name));
  await world.subscribeAsync(["mulkko/out/#", `mulkko/${VALVES.serial}/ch/+/cmd/onoff`], { qos: 1 });
  await vi.waitFor(async () => {
    await world.publishAsync(topic.up(SOIL.serial), '{"moisture": 41}', { qos: 1 });
    expect(await latest()).toMatchObject({ moisture: 41 });
  });
  await world.publishAsync(topic.up(999_999), '{"moisture": 41}', { qos: 1 });
  await vi.waitFor(() => expect(farm.app.ingest.deadLetters.counts()["unknown-serial"]).toBe(1));
  expect((await command(1)).statusCode).toBe(200);
  await vi.waitFor(() => {
    expect(heard).toContain(topic.outSensor(FARMER, SOIL.id));
    expect(heard).toContain(topic.channelCommand(VALVES.serial, 1, "onoff"));
  });

  // Its own word is all that is known of a controller's line there.
  await world.publishAsync(topic.status(VALVES.serial), "offline", { qos: 1, retain: true });
  await vi.waitFor(async () => expect((await command(1)).json().code).toBe("controller-offline"));
  expect((await command(2)).statusCode).toBe(200);

  await first.stop();
  await vi.waitFor(() => expect(farm.app.broker.isUp()).toBe(false));
  expect((await command(2)).json()).toMatchObject({ status: 503, code: "broker-down" });
  expect((await farm.app.inject("/ready")).json()).toMatchObject({ ready: false, broker: false });
  const second = await startMosquitto({ port: first.port });
  await vi.waitFor(() => expect(farm.app.broker.isUp()).toBe(true), { timeout: 10_000 });
  await vi.waitFor(
    async () => {
      farm.clock.advance(1_000);
      await world.publishAsync(topic.up(SOIL.serial), '{"moisture": 42}', { qos: 1 });
      expect(await latest()).toMatchObject({ moisture: 42 });
    },
    { timeout: 10_000, interval: 200 },
  );
  await world.endAsync(true);
  await farm.close();
  await second.stop();
}, 40_000);
