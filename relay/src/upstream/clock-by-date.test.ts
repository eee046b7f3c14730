import { buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildFakeAccount } from "../../testing/fake-farm-api.ts";
import { connectWebSocket, type LiveClient } from "../../testing/live-client.ts";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";

const MINUTE = 60_000;
const BEHIND_MS = 70 * MINUTE;
const SENSOR = "sensor:10000000-0000-4000-8000-000000000001";

let harness: RelayHarness;
let client: LiveClient;
beforeAll(async () => {
  // By its own clock the sensor has just reported; by the relay's it has been silent beyond the offline
  // threshold.
  const said = new Date(Date.now() - BEHIND_MS + 9 * 60 * MINUTE)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
  const account = buildFakeAccount({
    sensors: [buildSensor({ latestLog: buildLogEntry({ createdDate: said }) })],
    controllers: [buildController()],
  });
  harness = await startRelayHarness(account, {}, (api) => {
    api.dateAheadMs = -BEHIND_MS;
  });
  client = await connectWebSocket(harness.origin);
  client.say({ t: "hello", protocol: 1, token: account.token });
  client.say({ t: "subscribe", stream: "devices" });
});
afterAll(async () => {
  client.leave();
  await harness.close();
});

test("[ONL-3] an API with only its Date wrong is reported with its offset, and takes no device offline", async () => {
  let link = await client.next("link");
  while (link.upstream !== "clock") link = await client.next("link");
  expect(Math.round((link.suspectedOffset ?? 0) / MINUTE)).toBe(-70);
  const snapshot = await client.next("snapshot");
  const state = Array.isArray(snapshot.state) ? {} : snapshot.state;
  expect(state[SENSOR]?.quality).not.toBe("offline");
  const alarms = client.received.filter((message) => JSON.stringify(message).includes('"type":"offline"'));
  expect(alarms).toEqual([]);
});
