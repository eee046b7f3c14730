import { buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { afterEach, expect, test } from "vitest";
import { buildFakeAccount } from "../testing/fake-farm-api.ts";
import { connectWebSocket } from "../testing/live-client.ts";
import { type RelayHarness, startRelayHarness } from "../testing/relay-harness.ts";

let harness: RelayHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const SENSOR = "10000000-0000-4000-8000-000000000001";

const farm = () =>
  buildFakeAccount({
    farms: [{ id: 1, name: "House 1", description: null, sensors: [buildSensor()] }],
    sensors: [buildSensor()],
    controllers: [buildController()],
    states: new Map([["200001/11", { serial: 200001, onoff: 2, automatic: 0, period: 0, reservation: 0 }]]),
    moistures: new Map([["11", 31.5]]),
  });

test("[SUB-2] a viewer gets the whole account, read from the farm API, and then what changes", async () => {
  harness = await startRelayHarness(farm(), {
    POLL_SENSOR_MS: "100",
    POLL_LIST_MS: "300",
    POLL_CHANNEL_MS: "200",
  });
  const client = await connectWebSocket(harness.origin);
  client.say({ t: "hello", protocol: 1, token: "token-farmer" });
  await client.next("welcome");
  client.say({ t: "subscribe", stream: "devices" });
  const snapshot = await client.next("snapshot");
  expect(Object.keys(snapshot.state)).toEqual(
    expect.arrayContaining(["farm:1", `sensor:${SENSOR}`, "channel:11"]),
  );
  expect(snapshot.state).toMatchObject({
    [`sensor:${SENSOR}`]: {
      reading: { moisture: 32.4, rssi: -71 },
      at: "2026-11-21T03:00:00.000Z",
      via: "poll",
    },
  });
  harness.account.sensors = [
    buildSensor({ latestLog: buildLogEntry({ createdDate: "2026-11-21 12:01:00", moisture: 40 }) }),
  ];
  let moisture: unknown;
  while (moisture !== 40) {
    const change = await client.next("change");
    const patch = change.patch?.[`sensor:${SENSOR}`]?.reading;
    moisture = typeof patch === "object" && patch !== null && "moisture" in patch ? patch.moisture : moisture;
  }
  client.leave();
});
