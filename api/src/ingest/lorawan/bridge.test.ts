import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { connectAsync } from "mqtt";
import { expect, test, vi } from "vitest";
import { chirpstackUp, thingsStackUp } from "../../../testing/lorawan/network-messages.ts";
import { SOIL, startTestFarm } from "../../../testing/test-farm.ts";

const KEY = "uplink-key-of-tests";
const EUI = "a84041000181c061";

// ChirpStack uses MQTT 5 only, which the embedded broker does not support: Mosquitto is the bridge. The lines
// are those of docs/devices.md.
test("[uplink] a Mosquitto bridge forwards network server messages to the embedded broker", async () => {
  const farm = await startTestFarm({ UPLINK_KEY: KEY });
  await farm.app.database.query("update device set external_id = $2, profile = $3 where id = $1", [
    SOIL.id,
    EUI,
    "dragino-lse01",
  ]);
  await farm.app.deviceIndex.reload();
  const mosquitto = await startMosquitto({
    config: [
      "connection mulkko",
      `address 127.0.0.1:${farm.app.mqttPort}`,
      "bridge_protocol_version mqttv311",
      "remote_username network-server",
      `remote_password ${KEY}`,
      "try_private false",
      "notifications false",
      "topic application/+/device/+/event/up out 1",
      "topic v3/+/devices/+/up out 1",
    ],
  });
  const world = await connectAsync(mosquitto.url, { protocolVersion: 5 });
  await vi.waitFor(
    async () => {
      const time = new Date(farm.clock.now()).toISOString();
      for (const [name, body] of [
        [
          `application/a/device/${EUI}/event/up`,
          chirpstackUp({ devEui: EUI, time, decoded: { water_SOIL: 21 } }),
        ],
        ["v3/farm@ttn/devices/soil/up", thingsStackUp({ devEui: EUI, decoded: { water_SOIL: 22 } })],
      ] as const) {
        await world.publishAsync(name, JSON.stringify(body), { qos: 1 });
      }
      const rows = await farm.app.database.query<{ moisture: number }>("select moisture from reading");
      expect(rows.map(({ moisture }) => moisture).sort()).toEqual([21, 22]);
    },
    { timeout: 20_000, interval: 200 },
  );
  await world.endAsync();
  await mosquitto.stop();
  await farm.close();
}, 40_000);
