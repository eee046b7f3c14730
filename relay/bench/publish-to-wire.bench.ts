/**
 * Measure the latency from a device's MQTT publication to the `change` frame at the WebSocket transport: real
 * farm API (its embedded broker and database), real relay. The baseline is the same publication over a
 * Mosquitto broker alone, to one subscriber; the two alternate. The API's output topic is observed too, to
 * show the relay's share.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { OutReading } from "@mulkko/shared/mqtt/out-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { parseJson } from "@mulkko/shared/schema/parse";
import { machine, median, spread } from "@mulkko/testing/bench/figures";
import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { signIn } from "@mulkko/testing/stack/account";
import { deviceKey } from "@mulkko/testing/stack/device-keys";
import { startStack } from "@mulkko/testing/stack/start-stack";
import mqtt from "mqtt";
import { Type } from "typebox";
import { listenForChanges } from "./change-listener.ts";
import { BENCH } from "./options.ts";
import { createPublications, type Publications, type Tap } from "./publications.ts";

/** A soil sensor of the demo's farmer. */
const SERIAL = 24_110_101;
const ACCOUNT = "farmer";
/** Interval of demo traffic in ms: with traffic, and the longest that the API accepts for none. */
const DEMO_MS = 10_000;
const NO_DEMO_MS = 3_600_000;
/** ms after which the effects of a start are over. */
const SETTLE_MS = 5_000;

/** Names of the parts, and of the places where a publication is observed. */
const QUIET = "quiet account";
const QUICK = "quick succession";
const DEMO = "beside the demo";
const ALONE = "Mosquitto alone";
const OUT = "API's output topic";
const WIRE = "change frame";

/** A target of publications, with its taps. */
interface Course {
  readonly publications: Publications;
  readonly taps: readonly Tap[];
  /** Return the number of `change` frames so far, of all publications. */
  frames(): number;
  stop(): Promise<void>;
}

const UpMessage = Type.Object({ at: Type.String() });

async function brokerAlone(): Promise<Course> {
  const broker = await startMosquitto();
  const [device, subscriber] = await Promise.all([
    mqtt.connectAsync(broker.url),
    mqtt.connectAsync(broker.url),
  ]);
  const publications = createPublications(device, topic.up(SERIAL));
  const tap = publications.tap(ALONE);
  subscriber.on("message", (_topic, payload) => {
    const message = parseJson(UpMessage, payload.toString());
    if (message.ok) tap.saw(message.value.at);
  });
  await subscriber.subscribeAsync(topic.up(SERIAL), { qos: 0 });
  return {
    publications,
    taps: [tap],
    frames: () => 0,
    async stop() {
      await Promise.all([device.endAsync(true), subscriber.endAsync(true)]);
      await broker.stop();
    },
  };
}

async function wholeWay(dataDir: string, demoMs: number): Promise<Course> {
  const stack = await startStack({ DEMO_INTERVAL_MS: String(demoMs), LOG_LEVEL: "warn" }, dataDir);
  const account = await signIn(stack.url, ACCOUNT);
  const sensor = (await account.sensors()).find(({ serial }) => Number(serial) === SERIAL);
  if (!sensor) throw new Error(`${ACCOUNT} has no sensor ${SERIAL}`);
  const id = String(sensor.id);
  const mqttUrl = `mqtt://127.0.0.1:${stack.mqttPort}`;
  const [device, ear] = await Promise.all([
    mqtt.connectAsync(mqttUrl, {
      username: String(SERIAL),
      password: await deviceKey(dataDir, SERIAL),
      clientId: "bench-device",
    }),
    mqtt.connectAsync(mqttUrl, { username: "relay", password: stack.relayKey, clientId: "bench-ear" }),
  ]);
  const publications = createPublications(device, topic.up(SERIAL));
  const out = publications.tap(OUT);
  const wire = publications.tap(WIRE);
  ear.on("message", (name, payload) => {
    if (!name.endsWith(`/sensor/${id}`)) return;
    const message = parseJson(OutReading, payload.toString());
    if (message.ok) out.saw(message.value.at);
  });
  await ear.subscribeAsync(topic.outAll, { qos: 0 });
  const listener = await listenForChanges(stack.url, account.token, sensorKey(id), wire.saw);
  await wait(SETTLE_MS);
  return {
    publications,
    taps: [out, wire],
    frames: () => listener.frames,
    async stop() {
      listener.close();
      await Promise.all([device.endAsync(true), ear.endAsync(true)]);
      await stack.close();
    },
  };
}

/** The measurements of one tap in one part, over all measured rounds. */
interface Row {
  readonly latencies: number[];
  messages: number;
}
const rows = new Map<string, Row>();
/** Number of `change` frames for other reasons, by part. */
const others = new Map<string, number>();
const rowOf = (label: string, tap: string): Row => {
  const key = `${label.padEnd(17)} ${tap}`;
  const row = rows.get(key) ?? { latencies: [], messages: 0 };
  rows.set(key, row);
  return row;
};
// In the order of the output.
for (const [label, taps] of [
  [QUIET, [ALONE, OUT, WIRE]],
  [QUICK, [OUT, WIRE]],
  [DEMO, [OUT, WIRE]],
] as const) {
  for (const tap of taps) rowOf(label, tap);
}

/** Run one part of a round. */
async function part(course: Course, label: string, everyMs: number, isMeasured: boolean): Promise<void> {
  const before = course.frames();
  await course.publications.run(BENCH.publications, everyMs);
  if (!isMeasured) return;
  const ours = course.taps.find(({ name }) => name === WIRE)?.messages ?? 0;
  others.set(label, (others.get(label) ?? 0) + course.frames() - before - ours);
  for (const { name, latencies, messages } of course.taps) {
    const row = rowOf(label, name);
    row.latencies.push(...latencies);
    row.messages += messages;
  }
}

function printFigures(demoFrames: number): void {
  const { rounds, quietMs, quickMs, publications } = BENCH;
  const p50 = (label: string, tap: string): number => median(rowOf(label, tap).latencies);
  console.log(`\n${publications} publications a round, ${rounds} rounds; QoS 1, one device, one session`);
  for (const [label, { latencies, messages }] of rows) {
    const ratio = (median(latencies) / p50(QUIET, ALONE)).toFixed(1).padStart(5);
    console.log(
      `${label.padEnd(36)} ${spread(latencies)}  ${ratio} × ${ALONE}  ` +
        `(${latencies.length} readings, ${messages} messages)`,
    );
  }
  const [quiet, quick, beside] = [p50(QUIET, WIRE), p50(QUICK, WIRE), p50(DEMO, WIRE)];
  const api = p50(QUIET, OUT);
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  console.log(
    `\nOf the ${ms(quiet)} on a quiet account (p50) the API takes ${ms(api)}, the relay ${ms(quiet - api)}.\n` +
      `The flush pause of 100 ms (SUB-6) adds nothing to that: ${quietMs} ms and more lie between two publications. ` +
      `It holds back what falls within 100 ms of another frame; ${others.get(QUIET)} others came (p99).\n` +
      `Where publications follow each other after ${quickMs} ms and more, it adds ${ms(quick - quiet)} (p50), ` +
      "and one frame brings several.\n" +
      `The demo's own traffic is ${demoFrames.toFixed(1)} frames a second; ${others.get(DEMO)} came beside ours, ` +
      `and the whole way takes ${ms(beside - quiet)} more (p50).`,
  );
}

const dataDir = await mkdtemp(join(tmpdir(), "mulkko-bench-"));
const courses = new Set<Course>();
async function opened(opening: Promise<Course>): Promise<Course> {
  const course = await opening;
  courses.add(course);
  return course;
}
async function closed(course: Course): Promise<void> {
  courses.delete(course);
  await course.stop();
}
try {
  const { rounds, quietMs, quickMs } = BENCH;
  console.log(machine());
  const alone = await opened(brokerAlone());
  const way = await opened(wholeWay(dataDir, NO_DEMO_MS));
  for (let count = 0; count <= rounds; count += 1) {
    const parts = [
      () => part(alone, QUIET, quietMs, count > 0),
      () => part(way, QUIET, quietMs, count > 0),
      () => part(way, QUICK, quickMs, count > 0),
    ];
    for (const each of count % 2 === 0 ? parts : parts.toReversed()) await each();
    console.log(count === 0 ? "warmed up" : `round ${count} of ${rounds}`);
  }
  await closed(way);

  const demo = await opened(wholeWay(dataDir, DEMO_MS));
  const before = demo.frames();
  await wait(2 * DEMO_MS);
  const demoFrames = (demo.frames() - before) / ((2 * DEMO_MS) / 1_000);
  for (let count = 1; count <= rounds; count += 1) {
    await part(demo, DEMO, quietMs, true);
    console.log(`round ${count} of ${rounds} beside the demo`);
  }
  printFigures(demoFrames);
  console.log(machine());
} finally {
  await Promise.all([...courses].map(closed));
  await rm(dataDir, { recursive: true, force: true });
}
