import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOIL, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";
import { DeviceClocks } from "./device-clocks.ts";
import { readLatestStored, type Said, saidByReading } from "./latest-stored.ts";
import { storeReadings } from "./reading-store.ts";

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_128);
const RUNS = Number(process.env.FUZZ_RUNS ?? 25);
const NOW = Date.UTC(2026, 10, 28, 6);
const HOUR = 3_600_000;

describe("a backlog that is delivered again", () => {
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await startTestFarm();
  });
  afterAll(() => farm.close());

  it("[ORD-2] is stored once and marks no clock, whatever is repeated and however often the API restarts", async () => {
    const { database } = farm.app;
    // Where a delivery stops, and how far back the next one begins: the receiver has confirmed nothing of it.
    const stops = fc.array(
      fc.record({ upTo: fc.integer({ min: 1, max: 30 }), back: fc.nat(30), restarts: fc.boolean() }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(stops, fc.nat(3), async (deliveries, kinds) => {
        await database.query("delete from reading where sensor_id = $1", [SOIL.id]);
        await database.query("delete from latest where sensor_id = $1", [SOIL.id]);
        let clocks = new DeviceClocks(database);
        await clocks.load(await readLatestStored(database));
        let passed = 0;
        const sent = new Set<number>();
        const deliver = async (index: number) => {
          const at = NOW - 2 * HOUR + index * 60_000;
          const fields = { moisture: index % (kinds + 1) };
          passed += 20;
          const arrival = { receivedAt: NOW + passed, monotonic: passed };
          const judged = clocks.judge(SOIL.id, { kind: "stated", at }, arrival, saidByReading(fields));
          expect(judged).toMatchObject({ at, ownAt: at, wrongSince: null });
          const times = { at: judged.at, receivedAt: arrival.receivedAt };
          await storeReadings(database, [
            { sensorId: SOIL.id, fwversion: null, rssi: null, fields, ...times },
          ]);
          sent.add(index);
        };
        let next = 0;
        for (const { upTo, back, restarts } of deliveries) {
          for (const end = next + upTo; next < end; next += 1) await deliver(next);
          next = Math.max(0, next - back);
          if (!restarts) continue;
          clocks = new DeviceClocks(database);
          await clocks.load(await readLatestStored(database));
        }
        const [row] = await database.query<{ count: number }>(
          "select count(*) as count from reading where sensor_id = $1",
          [SOIL.id],
        );
        expect(Number(row?.count)).toBe(sent.size);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it("[ORD-2] of a controller may name one time for all of its channels", async () => {
    const clocks = new DeviceClocks(farm.app.database);
    const at = NOW - HOUR;
    const judge = (source: string, content: string, passed: number) => {
      const said: Said = { source, content };
      return clocks.judge(
        VALVES.id,
        { kind: "stated", at },
        { receivedAt: NOW + passed, monotonic: passed },
        said,
      );
    };
    for (const round of [0, 1, 2]) {
      for (const number of [1, 2, 3, 4]) {
        expect(judge(`${number}`, `onoff ${number % 2}`, round * 100 + number)).toMatchObject({
          ownAt: at,
          wrongSince: null,
        });
      }
    }
    // Something else at the same time, of the same channel: its clock stands still.
    expect(judge("1", "onoff 0", 400)).toMatchObject({ ownAt: null, wrongSince: NOW + 400 });
  });

  it("[ORD-2] leaves readings of one second beside each other, also when they come again", () => {
    const clocks = new DeviceClocks(farm.app.database);
    const judge = (moisture: number, passed: number) =>
      clocks.judge(
        SOIL.id,
        { kind: "stated", at: NOW },
        { receivedAt: NOW + passed, monotonic: passed },
        saidByReading({ moisture }),
      ).at - NOW;
    expect([7, 8, 9, 7, 9, 8].map((moisture, index) => judge(moisture, index * 10))).toEqual([
      0, 1, 2, 0, 2, 1,
    ]);
  });
});
