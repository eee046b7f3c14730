// The devices of the ingest benchmark, in their own process: each publishes as fast as it is acknowledged.
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { topic } from "@mulkko/shared/mqtt/topics";
import mqtt from "mqtt";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "" },
    devices: { type: "string", default: "" },
    firstSerial: { type: "string", default: "" },
    key: { type: "string" },
    inFlight: { type: "string", default: "" },
    seconds: { type: "string", default: "0" },
    readings: { type: "string", default: "0" },
    rate: { type: "string", default: "0" },
    start: { type: "string", default: "" },
  },
});
const { url, key } = values;
const devices = Number(values.devices);
const readings = Number(values.readings) || Number.POSITIVE_INFINITY;
// Readings per second of all devices; 0: as many as are acknowledged.
const rate = Number(values.rate) || Number.POSITIVE_INFINITY;
const endAt =
  Number(values.seconds) > 0 ? performance.now() + Number(values.seconds) * 1_000 : Number.POSITIVE_INFINITY;
// Each reading of a device is one millisecond later, so that none is taken for a duplicate.
const start = Number(values.start);

const begun = performance.now();
let sent = 0;
let acknowledged = 0;
const latencies: number[] = [];

async function run(index: number): Promise<void> {
  const serial = Number(values.firstSerial) + index;
  const client = await mqtt.connectAsync(url, {
    clientId: `bench-${serial}`,
    ...(key === undefined ? {} : { username: String(serial), password: key }),
  });
  let own = 0;
  const queue = async (): Promise<void> => {
    while (sent < readings && performance.now() < endAt) {
      const due = begun + (sent / rate) * 1_000;
      sent += 1;
      own += 1;
      const turn = own;
      const early = due - performance.now();
      if (early > 1) await wait(early);
      const at = new Date(start + turn).toISOString();
      const wave = Math.round(Math.sin(own / 60) * 100) / 10;
      const body = {
        at,
        temperature: 20 + wave,
        ph: 6.5,
        ec: 1.2 + wave / 100,
        gdo: 9 - wave / 10,
        rssi: -70,
      };
      const published = performance.now();
      await client.publishAsync(topic.up(serial), JSON.stringify(body), { qos: 1 });
      acknowledged += 1;
      if (acknowledged % 50 === 0) latencies.push(performance.now() - published);
    }
  };
  await Promise.all(Array.from({ length: Number(values.inFlight) }, queue));
  await client.endAsync();
}

await Promise.all(Array.from({ length: devices }, (_, index) => run(index)));
const seconds = (performance.now() - begun) / 1_000;
latencies.sort((a, b) => a - b);
const p50 = latencies[Math.floor(latencies.length / 2)] ?? 0;
const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
const { user, system } = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({ sent, acknowledged, seconds, p50, p99, cpu: (user + system) / 1e6 })}\n`,
);
