import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MeteredWater, type MeterReading, type MeterRun, meteredWater } from "./meter.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const parameters = { seed: Number(process.env.FUZZ_SEED ?? 20_261_128), numRuns: 500 };

const UNMEASURED: MeteredWater = { kind: "unmeasured" };
const measured = (litres: number, isShared = false): MeteredWater => ({ kind: "measured", litres, isShared });
const at = (seconds: number, litres: number, flow?: number): MeterReading => ({
  at: seconds * SECOND,
  litres,
  ...(flow !== undefined && { flow }),
});
const run = (from: number, to: number): MeterRun => ({ from: from * SECOND, to: to * SECOND });

describe("the litres of a run", () => {
  it("[WAT-5] are what the meter counted from the reading before it to the one after", () => {
    const readings = [at(-60, 990), at(0, 1_000), at(60, 1_020), at(130, 1_041.5), at(190, 1_041.5)];
    expect(meteredWater(run(5, 120), readings, [])).toEqual(measured(41.5));
    expect(meteredWater(run(5, 120), readings.toReversed(), [])).toEqual(measured(41.5));
    expect(meteredWater(run(5, 120), readings.slice(0, 3), [])).toEqual({ kind: "wait" });
  });

  it("[WAT-5] are counted past a fall that the meter takes back, as after its restart", () => {
    const readings = [at(-2, 184_302), at(-1, 0), at(3, 184_310), at(12, 184_322)];
    expect(meteredWater(run(0, 10), readings, [])).toEqual(measured(20));
  });

  it("[WAT-5] are not measured by a meter that was silent before the run, or after it", () => {
    expect(meteredWater(run(0, 10), [at(-3 * 3_600, 1_000), at(12, 5_000)], [])).toEqual(UNMEASURED);
    expect(meteredWater(run(0, 10), [at(-20, 1_000), at(-10, 1_000), at(3_600, 1_040)], [])).toEqual(
      UNMEASURED,
    );
    expect(meteredWater(run(0, 10), [at(12, 5_000)], [])).toEqual(UNMEASURED);
  });

  it("[WAT-5] are not measured over a reset, an exchange or an overflow", () => {
    const reset = [at(-5, 500), at(20, 510), at(40, 2), at(70, 12)];
    expect(meteredWater(run(0, 60), reset, [])).toEqual(UNMEASURED);
    const exchanged = [at(-10, 500), at(-5, 500), at(30, 90_000), at(70, 90_010)];
    expect(meteredWater(run(0, 60), exchanged, [])).toEqual(UNMEASURED);
  });

  it("[WAT-5] are not measured where the meter counts more than it ever reported as its flow", () => {
    const readings = [at(-60, 1_000, 0), at(0, 1_000, 0), at(60, 1_030, 30), at(120, 1_600, 30)];
    expect(meteredWater(run(1, 115), readings, [])).toEqual(UNMEASURED);
    expect(meteredWater(run(1, 55), readings, [])).toEqual(measured(30));
  });

  it("[WAT-5] are shared by the time that each channel of the meter was open", () => {
    const both = [at(0, 1_000), at(14, 1_040)];
    expect(meteredWater(run(0, 12), both, [run(0, 12)])).toEqual(measured(20, true));
    const oneAfterTheOther = [at(0, 0), at(60, 40)];
    expect(meteredWater(run(0, 10), oneAfterTheOther, [run(10, 40)])).toEqual(measured(10, true));
    expect(meteredWater(run(10, 40), oneAfterTheOther, [run(0, 10)])).toEqual(measured(30, true));
    // One that was open before the reading takes no part.
    expect(meteredWater(run(5, 50), oneAfterTheOther, [run(-30, 0)])).toEqual(measured(40));
  });
});

/** Channels of one meter, the water that each really got, and what the meter said of it. */
const world = fc.record({
  every: fc.integer({ min: 5, max: 900 }),
  flow: fc.integer({ min: 1, max: 400 }),
  runs: fc.array(
    fc.record({ from: fc.integer({ min: 0, max: 7_200 }), length: fc.integer({ min: 5, max: 3_600 }) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  fault: fc.constantFrom("none", "reset", "dip", "spike", "silent", "late", "overflow", "exchange"),
  faultAt: fc.double({ min: 0, max: 1, noNaN: true }),
});

/**
 * Return what a faulty meter says in place of its true total.
 *
 * @param before its total when the fault began
 * @param since ms since the fault began
 */
function shown(fault: string, total: number, before: number, since: number, every: number): number {
  const isNow = since >= 0 && since < every;
  switch (since < 0 ? "none" : fault) {
    case "reset":
      return total - before;
    case "overflow":
      return total - 50_000;
    case "exchange":
      return total + 900_000;
    case "dip":
      return isNow ? 0 : total;
    case "spike":
      return isNow ? 1e9 : total;
    default:
      return total;
  }
}

it("[WAT-5] over meters that reset, dip, overflow, fall silent or are exchanged never exceed the water that ran", () => {
  const seen = { measured: 0, unmeasured: 0 };
  fc.assert(
    fc.property(world, ({ every, flow, runs: given, fault, faultAt }) => {
      const runs = given.map(({ from, length }) => run(from, from + length));
      const [start, end] = [-4 * HOUR, Math.max(...runs.map(({ to }) => to)) + 2 * HOUR];
      const ranUntil = (time: number) =>
        runs.reduce((sum, one) => sum + (Math.max(0, Math.min(time, one.to) - one.from) / MINUTE) * flow, 0);
      const broken = faultAt * Math.max(...runs.map(({ to }) => to));
      const readings: MeterReading[] = [];
      for (let time = start; time < end; time += every * SECOND) {
        const total = 50_000 + ranUntil(time);
        if (fault === "silent" && time >= broken && time < broken + HOUR) continue;
        const delay = fault === "late" ? Math.min(every * SECOND, 20 * SECOND) : 0;
        readings.push({
          at: time + delay,
          litres: shown(fault, total, 50_000 + ranUntil(broken), time - broken, every * SECOND),
        });
      }
      const waters = runs.map((one) =>
        meteredWater(
          one,
          readings,
          runs.filter((other) => other !== one),
        ),
      );
      let sum = 0;
      for (const water of waters) {
        if (water.kind !== "measured") {
          seen.unmeasured += 1;
          continue;
        }
        seen.measured += 1;
        expect(water.litres).toBeGreaterThanOrEqual(0);
        sum += water.litres;
      }
      expect(sum).toBeLessThanOrEqual(ranUntil(Number.POSITIVE_INFINITY) + 0.01);
      // A meter without a fault measures everything.
      if (fault === "none") {
        expect(waters.every(({ kind }) => kind === "measured")).toBe(true);
        expect(sum).toBeCloseTo(ranUntil(Number.POSITIVE_INFINITY), 1);
      }
    }),
    parameters,
  );
  expect(seen.measured).toBeGreaterThan(100);
  expect(seen.unmeasured).toBeGreaterThan(50);
});
