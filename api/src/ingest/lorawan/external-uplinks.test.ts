import { topic } from "@mulkko/shared/mqtt/topics";
import { type RunningMosquitto, startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { chirpstackUp, thingsStackUp } from "../../../testing/lorawan/network-messages.ts";
import { SOIL, startTestFarm } from "../../../testing/test-farm.ts";

const EUI = "a84041000181c061";
const CHIRPSTACK = 21;
const THINGS_STACK = 22;
const NATIVE = 40;

let mosquitto: RunningMosquitto;
let world: MqttClient;
beforeAll(async () => {
  mosquitto = await startMosquitto();
  world = await connectAsync(mosquitto.url);
});
afterAll(async () => {
  await world.endAsync();
  await mosquitto.stop();
});

// In sequence on one broker, which keeps the sessions: earlier subscriptions must be removed.
test.each([
  ["both", [CHIRPSTACK, THINGS_STACK, NATIVE]],
  ["chirpstack", [CHIRPSTACK, NATIVE]],
  ["tts", [THINGS_STACK, NATIVE]],
  ["off", [NATIVE]],
])(
  "[uplink] on a broker elsewhere with UPLINK_TOPICS=%s the moistures %o are received",
  async (source, wanted) => {
    const farm = await startTestFarm({ MQTT_URL: mosquitto.url, UPLINK_TOPICS: source });
    await farm.app.database.query("update device set external_id = $2, profile = $3 where id = $1", [
      SOIL.id,
      EUI,
      "dragino-lse01",
    ]);
    await farm.app.deviceIndex.reload();
    const publishAll = async (native: number): Promise<void> => {
      farm.clock.advance(1_000);
      const time = new Date(farm.clock.now() - 100).toISOString();
      const other = new Date(farm.clock.now() - 200).toISOString();
      for (const [name, body] of [
        [
          `application/a/device/${EUI}/event/up`,
          chirpstackUp({ devEui: EUI, time, decoded: { water_SOIL: CHIRPSTACK } }),
        ],
        [
          "v3/farm/devices/soil/up",
          thingsStackUp({ devEui: EUI, time: other, decoded: { water_SOIL: THINGS_STACK } }),
        ],
        [topic.up(SOIL.serial), { moisture: native, at: new Date(farm.clock.now()).toISOString() }],
      ] as const) {
        await world.publishAsync(name, JSON.stringify(body), { qos: 1 });
      }
    };
    const received = async (): Promise<number[]> => {
      const rows = await farm.app.database.query<{ moisture: number }>(
        "select distinct moisture from reading order by moisture",
      );
      return rows.map(({ moisture }) => moisture);
    };
    const patience = { timeout: 20_000, interval: 100 };
    await vi.waitFor(async () => {
      await publishAll(NATIVE);
      expect(await received()).toEqual(expect.arrayContaining(wanted));
    }, patience);
    // A later round, so that no message of an earlier one is in transit.
    await vi.waitFor(async () => {
      await publishAll(NATIVE + 1);
      expect(await received()).toContain(NATIVE + 1);
    }, patience);
    expect(await received()).toEqual([...wanted, NATIVE + 1]);
    await farm.close();
  },
  40_000,
);
