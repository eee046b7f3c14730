import { topic } from "@mulkko/shared/mqtt/topics";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readStatus } from "../../src/decode/status-word.ts";
import { chirpstackUp, thingsStackUp } from "../lorawan/network-messages.ts";
import { FOREIGN_VALVES, SOIL, startTestFarm, type TestFarm, VALVES } from "../test-farm.ts";

const MESSAGES = 10_000;
/** Part of the test title, so that a failure can be reproduced. */
const SEED = 20_261_121;
const EUI = "a84041000181c061";
const SHELLY = "shellyplus1pm-441793d69718";
const TASMOTA = "valve-house";
const NATIVE = 200_003;
vi.setConfig({ testTimeout: 120_000 });

let farm: TestFarm;
/** Number of stored readings and reports. */
let stored = 0;

beforeAll(async () => {
  farm = await startTestFarm();
  const { database, deviceIndex, ingest } = farm.app;
  for (const sql of [
    `update device set external_id = '${EUI}', profile = 'dragino-lse01' where id = '${SOIL.id}'`,
    `insert into device (id, serial, kind, account_id, key_hash, created_at)
       select '20000000-0000-4000-8000-000000000003', ${NATIVE}, kind, account_id, '', now() from device where id = '${VALVES.id}'`,
    "insert into controller (id, name, type) values ('20000000-0000-4000-8000-000000000003', 'Native', 'CON04V')",
    "insert into channel (controller_id, number) values ('20000000-0000-4000-8000-000000000003', 1)",
    `update controller set driver = 'tasmota', address = '${TASMOTA}' where id = '${VALVES.id}'`,
    `update controller set driver = 'shelly-gen2', address = '${SHELLY}' where id = '${FOREIGN_VALVES.id}'`,
  ]) {
    await database.query(sql);
  }
  await deviceIndex.reload();
  ingest.onContacts((batch) => {
    stored += batch.length;
  });
});
afterAll(() => farm.close());

const strange = fc.constantFrom(
  "",
  "\u0000",
  "💧".repeat(40),
  "\u202e\ufeff\ud800",
  "__proto__",
  "'; drop table reading; --",
  "1e999",
  "NaN",
  "0x10",
  "25:61",
);
const leaf = fc.oneof(
  strange,
  fc.constantFrom<unknown>(null, true, false, [], {}, -1, 2 ** 53, 1e308, -1e-308, Number.MAX_VALUE),
  fc.double(),
  fc.integer({ min: -20, max: 120 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const name = fc.oneof(
  fc.constantFrom(
    ...[
      "at",
      "mois",
      "moisture",
      "soilTemperature",
      "battery",
      "rssi",
      "fwversion",
      "onoff",
      "runUntil",
      "mode",
    ],
    ...[
      "time",
      "object",
      "deviceInfo",
      "rxInfo",
      "fCnt",
      "uplink_message",
      "end_device_ids",
      "decoded_payload",
    ],
    ...["POWER1", "StatusSTS", "PulseTime1", "id", "src", "method", "params", "switch:0", "output", "result"],
    ...["__proto__", "constructor", "toString", ""],
  ),
  fc.string({ maxLength: 8 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 6 }),
  ),
}));
const deep = fc
  .tuple(fc.integer({ min: 1, max: 30_000 }), fc.constantFrom("[", '{"a":'))
  .map(([depth, open]) => Buffer.from(open.repeat(depth)));
const json = value.map((one) => Buffer.from(JSON.stringify(one)));
const decoded = { water_SOIL: "20.1", temp_SOIL: "18.2", BatV: 3.3 };
/** Each frame has its own time: an identical one is stored once. */
const frame = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 20_000_000 }))
  .map(([isChirpstack, second]) => {
    const time = new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
    return isChirpstack
      ? chirpstackUp({ devEui: EUI, time, decoded })
      : thingsStackUp({ devEui: EUI, time, decoded });
  });
const said = fc.constantFrom<Record<string, unknown>>(
  { moisture: 31, soilTemperature: 18, battery: 80, rssi: -70 },
  { onoff: 1, runUntil: "2026-11-21T03:00:00Z" },
  { id: 0, output: true, apower: 1.5, source: "switch" },
  { POWER1: "ON", PulseTime1: { Set: 160, Remaining: 20 } },
);
/** A message of a device, a network server or a valve, with some members replaced. */
const altered = fc
  .tuple(fc.oneof(frame, said), fc.dictionary(name, value, { maxKeys: 2 }))
  .map(([base, more]) => Buffer.from(JSON.stringify({ ...base, ...more })));
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const payload = fc.oneof(
  { weight: 6, arbitrary: altered },
  { weight: 4, arbitrary: json },
  // Truncated.
  {
    weight: 2,
    arbitrary: fc
      .tuple(altered, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([whole, part]) => whole.subarray(0, whole.length * part)),
  },
  { weight: 2, arbitrary: bytes },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.integer({ min: 64_000, max: 70_000 }).map((size) => Buffer.alloc(size, "7")) },
);
const level = fc.oneof(
  fc.constantFrom(
    "mulkko",
    "up",
    "ch",
    "state",
    "status",
    "1",
    "0",
    "-1",
    "9".repeat(40),
    "$share",
    "+",
    "#",
  ),
  strange,
);
const anyTopic = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...[topic.up(SOIL.serial), topic.up(NATIVE), topic.up(999_999), topic.status(NATIVE)],
      ...[topic.channelState(NATIVE, 1), topic.channelState(NATIVE, 7)],
      ...[`application/a/device/${EUI}/event/up`, `application/a/device/${EUI}/event/join`],
      ...[`v3/app@ttn/devices/eui-${EUI}/up`, `v3/app@ttn/devices/eui-${EUI}/down/ack`],
      ...[
        `${SHELLY}/status/switch:0`,
        `${SHELLY}/events/rpc`,
        `${SHELLY}/online`,
        `${SHELLY}/status/switch:99`,
      ],
      ...[`mulkko/${FOREIGN_VALVES.serial}/valve/rpc`, `mulkko/${VALVES.serial}/valve/rpc`],
      ...[
        `tele/${TASMOTA}/STATE`,
        `tele/${TASMOTA}/LWT`,
        `stat/${TASMOTA}/RESULT`,
        `stat/${TASMOTA}/STATUS11`,
      ],
    ),
  },
  { weight: 2, arbitrary: fc.array(level, { minLength: 1, maxLength: 6 }).map((levels) => levels.join("/")) },
);

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

test(`[hostile] ${MESSAGES} fuzzed messages on fuzzed topics (seed ${SEED}): each is stored, rejected, ignored, a repetition or a valve's, without an error`, async () => {
  const { ingest, valves } = farm.app;
  const tally = { stored: 0, setAside: 0, ignored: 0, valve: 0, line: 0, repeated: 0, retained: 0 };
  const messages = fc.sample(fc.tuple(anyTopic, payload), { numRuns: MESSAGES, seed: SEED });
  for (const [place, [name, body]] of messages.entries()) {
    farm.clock.advance(1_000);
    const message = {
      topic: name,
      payload: new Uint8Array(body),
      duplicate: false,
      retained: place % 7 === 0,
      connection: `fuzz-${place}`,
    };
    const before = { stored, setAside: sumOf(ingest.deadLetters.counts()), ignored: sumOf(ingest.ignored()) };
    const isValve = await valves.handle(message);
    if (!isValve) await ingest.handle(message);
    const isLine = name.endsWith("/status") && readStatus(body) !== null;
    if (isValve) tally.valve += 1;
    else if (stored > before.stored) tally.stored += 1;
    else if (sumOf(ingest.deadLetters.counts()) > before.setAside) tally.setAside += 1;
    else if (sumOf(ingest.ignored()) > before.ignored) tally.ignored += 1;
    else if (isLine) tally.line += 1;
    // A frame without its own time has that of its network server, which is constant here.
    else if (/event\/up$|^v3\/.*\/up$/.test(name)) tally.repeated += 1;
    // A retained state that contradicts nothing proves nothing (ORD-4).
    else if (message.retained && /\/ch\/\d+\/state$/.test(name)) tally.retained += 1;
    else throw new Error(`message ${place} on ${name} came to nothing: ${body.toString().slice(0, 500)}`);
  }
  expect(sumOf(tally)).toBe(MESSAGES);
  // The seed covers every outcome.
  for (const way of ["stored", "setAside", "ignored", "valve"] as const)
    expect(tally[way]).toBeGreaterThan(100);
  expect(tally.repeated).toBeLessThan(20);
  expect(tally.retained).toBeLessThan(100);
  expect(farm.lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);

  const device = await farm.connect(SOIL);
  const soFar = stored;
  await device.publishAsync(topic.up(SOIL.serial), '{"moisture": 29.5}', { qos: 1 });
  expect(stored).toBe(soFar + 1);
});

test("[hostile] acknowledges every fuzzed payload on a device's own connection, and keeps the connection", async () => {
  const device = await farm.connect(SOIL, { clientId: "own" });
  const bodies = fc.sample(payload, { numRuns: 500, seed: SEED });
  await Promise.all(bodies.map((body) => device.publishAsync(topic.up(SOIL.serial), body, { qos: 1 })));
  expect(device.connected).toBe(true);
});
