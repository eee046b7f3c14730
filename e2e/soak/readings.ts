import { topic } from "@mulkko/shared/mqtt/topics";
import { deviceKey } from "@mulkko/testing/stack/device-keys";
import { connectAsync } from "mqtt";

/** Soil sensors of the demo farm, whose own virtual devices report every half minute. */
const SERIALS = [24110101, 24110102] as const;

/**
 * Publish readings in the names of devices, many times faster than the devices. @returns a function that
 * stops it
 */
export async function reportFast(
  { mqttPort, dataDir }: { mqttPort: number; dataDir: string },
  everyMs: number,
): Promise<() => Promise<void>> {
  const clients = await Promise.all(
    SERIALS.map(async (serial) => {
      const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
        clientId: `soak-${serial}`,
        username: String(serial),
        password: await deviceKey(dataDir, serial),
      });
      return { serial, client };
    }),
  );
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    for (const { serial, client } of clients) {
      const moisture = Number((30 + 8 * Math.sin(count / 9 + serial)).toFixed(1));
      const reading = { moisture, soilTemperature: 17, battery: 90, rssi: -70, at: new Date().toISOString() };
      client.publish(topic.up(serial), JSON.stringify(reading), { qos: 1 });
    }
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(clients.map(({ client }) => client.endAsync(true)));
  };
}
