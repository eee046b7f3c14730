import { accountUpdate } from "@mulkko/shared/rest/operations/account";
import { adminUserDelete } from "@mulkko/shared/rest/operations/admin";
import { periodAdd, reservationAdd } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { eventually } from "@mulkko/shared/testing/eventually";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { connectAsync } from "mqtt";
import { expect, test } from "vitest";
import { signInAll } from "../../../testing/callers.ts";
import {
  ADMIN,
  FARMER,
  FOREIGN_VALVES,
  NEIGHBOR,
  startTestFarm,
  VALVES,
} from "../../../testing/test-farm.ts";
import { DatabaseError } from "../../database/database.ts";
import { createDelivery } from "./delivery.ts";

const device = {
  ...{ id: VALVES.id, serial: VALVES.serial, accountId: FARMER, type: "CT4", keyHash: new Uint8Array() },
  ...{ externalId: null, profile: null, channels: [], valves: null },
};

interface ReceivedCommand {
  readonly name: string;
  readonly body: Record<string, unknown>;
}

const receivedOf = (topic: string, payload: Buffer): ReceivedCommand => ({
  name: topic.replace(/.*\/ch\/(\d)\/cmd\//, "$1 "),
  body: JSON.parse(payload.toString()),
});

test("[watering] with an external broker a controller receives its settings after its `online` message", async () => {
  const broker = await startMosquitto();
  const farm = await startTestFarm({ MQTT_URL: broker.url });
  await eventually(() => expect(farm.app.broker.isUp()).toBe(true));
  const callers = await signInAll(farm);
  const saved = await callers.ask("POST", pathTo(periodAdd, { channelId: 1 }), { wateringDuration: 6 });
  expect(saved.statusCode).toBe(200);
  const device = await connectAsync(broker.url);
  const received: ReceivedCommand[] = [];
  device.on("message", (topic, payload) => received.push(receivedOf(topic, payload)));
  await device.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/+`, { qos: 1 });
  const say = (word: string) =>
    device.publishAsync(`mulkko/${VALVES.serial}/status`, word, { qos: 1, retain: true });
  // The API must be subscribed before the message is sent.
  await eventually(async () => {
    await say("online");
    expect(received.length).toBeGreaterThanOrEqual(8);
  });
  expect(received.slice(0, 4).map(({ name, body }) => [name, body.setting ?? body.active ?? null])).toEqual([
    ["1 automatic", null],
    ["1 reservation", null],
    ["1 period", { wateringDuration: 6, wateringInterval: null, repeat: false }],
    ["1 mode", "period"],
  ]);
  await device.endAsync();
  await farm.close();
  await broker.stop();
});

test("[AUTO-9] a mode that was switched off reaches the controller also where its settings cannot be read at first", async () => {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const published: string[] = [];
  const warnings: string[] = [];
  let isAway = true;
  const row = { channel_id: 1, number: 1, mode: "none", mode_revision: 3, timezone: "UTC" };
  const ids = { automatic_id: null, reservation_id: null, period_id: null };
  const query = async (): Promise<never[]> => {
    if (isAway) throw new DatabaseError("statement timeout", "57014");
    const rows: object[] = [{ ...row, ...ids }];
    return rows as never[];
  };
  const delivery = createDelivery({
    database: { query },
    deviceIndex: { byId: () => ({ ...device, kind: "controller" }), ofAccount: () => [] },
    broker: {
      publish: async ({ topic: name }) => {
        published.push(name);
      },
    },
    valves: { drives: () => false, reread: async () => undefined, silence: async () => undefined },
    ...{ clock, timers },
    logger: { warn: (_fields: unknown, text?: string) => void warnings.push(`${text}`) },
  });
  await delivery.send(device, 1, []);
  await timers.pass(30_000);
  expect([published, warnings]).toEqual([[], ["cannot send watering settings"]]);
  isAway = false;
  await timers.pass(5_000);
  expect(published.at(-1)).toBe(`mulkko/${VALVES.serial}/ch/1/cmd/mode`);
  expect(timers.pending).toBe(0);
});

test("[watering] sends a new time zone to the controllers, and closes the channels of a deleted account", async () => {
  const farm = await startTestFarm();
  const callers = await signInAll(farm);
  const received: ReceivedCommand[] = [];
  for (const box of [VALVES, FOREIGN_VALVES]) {
    const client = await farm.connect(box);
    client.on("message", (topic, payload) => received.push(receivedOf(topic, payload)));
    await client.subscribeAsync(`mulkko/${box.serial}/ch/+/cmd/+`, { qos: 1 });
  }
  await eventually(() => expect(received).toHaveLength(20));
  received.length = 0;
  await callers.ask("POST", pathTo(reservationAdd, { channelId: 1 }), {
    offDelayMinutes: 5,
    onTime: "06:00",
  });
  await callers.ask("PUT", pathTo(accountUpdate, { id: FARMER }), { timezone: "Europe/Berlin" });
  await eventually(() => {
    const zones = received.flatMap(({ body }) =>
      typeof body.setting === "object" && body.setting !== null && "timezone" in body.setting
        ? [body.setting.timezone]
        : [],
    );
    expect(zones).toEqual(["Asia/Seoul", "Europe/Berlin"]);
  });
  received.length = 0;
  const gone = await callers.ask("DELETE", pathTo(adminUserDelete, { id: NEIGHBOR }), undefined, "overseer");
  expect(gone.statusCode).toBe(204);
  await eventually(() =>
    expect(received.filter(({ name }) => name.endsWith("onoff")).map(({ body }) => body.state)).toEqual([
      2, 2,
    ]),
  );
  expect(farm.app.deviceIndex.ofAccount(NEIGHBOR)).toEqual([]);
  expect(farm.app.deviceIndex.ofAccount(ADMIN)).toEqual([]);
  await farm.close();
});
