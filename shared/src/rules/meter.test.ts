import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  EDGE_MS,
  type MeteredWater,
  type MeterReading,
  type MeterRun,
  meteredWater,
  SETTLE_MS,
} from "./meter.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const parameters = {
  seed: Number(process.env.FUZZ_SEED ?? 20_261_128),
  numRuns: Number(process.env.FUZZ_RUNS ?? 400),
};

const UNMEASURED: MeteredWater = { kind: "unmeasured" };
const measured = (litres: number, isShared = false): MeteredWater => ({ kind: "measured", litres, isShared });
const at = (seconds: number, litres: number): MeterReading => ({ at: seconds * SECOND, litres });
const run = (from: number, to: number, channel = "a", largestFlow: number | null = null): MeterRun => ({
  channel,
  from: from * SECOND,
  to: to * SECOND,
  largestFlow,
});

/** Readings of a meter every `every` seconds: still, then of a channel with a flow (L/min), then still. */
function readingsOfRun(one: MeterRun, flow: number, every: number, base = 50_000): MeterReading[] {
  const [from, to] = [one.from / SECOND, one.to / SECOND];
  const readings: MeterReading[] = [];
  for (let time = from - 4 * 3_600; time < to + 3 * 3_600; time += every) {
    readings.push(at(time, base + (Math.max(0, Math.min(time, to) - from) / 60) * flow));
  }
  return readings;
}

describe("the litres of a run", () => {
  it("[WAT-5] are what the meter counted from the reading before it to the one after", () => {
    const one = run(5, 605);
    const readings = readingsOfRun(one, 20, 60);
    expect(meteredWater(one, readings, [])).toEqual(measured(200));
    expect(meteredWater(one, readings.toReversed(), [])).toEqual(measured(200));
  });

  it("[WAT-5] are not measured if another channel was open before the run's end was confirmed", () => {
    const one = run(0, 600);
    const readings = readingsOfRun(one, 20, 10);
    const other = run(640, 700, "b");
    const confirmed = (seconds: number): MeterRun => ({ ...one, confirmedAt: seconds * SECOND });
    expect(meteredWater(one, readings, [other])).toEqual(measured(200));
    expect(meteredWater(confirmed(630), readings, [other])).toEqual(measured(200));
    expect(meteredWater(confirmed(660), readings, [other])).toEqual(UNMEASURED);
    expect(meteredWater(confirmed(660), readings, [])).toEqual(measured(200));
  });

  it("[WAT-5] wait until the meter has stood still for five minutes, for twice its interval at most", () => {
    const one = run(0, 3 * 3_600);
    const readings = readingsOfRun(one, 20, 3_600);
    const until = one.to + SETTLE_MS + 2 * HOUR + EDGE_MS;
    expect(
      meteredWater(
        one,
        readings.filter(({ at: time }) => time <= one.to),
        [],
      ),
    ).toEqual({ kind: "wait", until });
    expect(meteredWater(one, readings, [])).toEqual(measured(3_600));
  });

  it("[WAT-5] are counted past a reading that the meter cannot have counted", () => {
    const one = run(5, 605);
    for (const glitch of [0, 10, 1e9]) {
      for (const index of [238, 240, 243, 250, 251]) {
        const readings = readingsOfRun(one, 20, 60, 184_302).map((reading, place) =>
          place === index ? { ...reading, litres: glitch } : reading,
        );
        expect(meteredWater(one, readings, [])).toEqual(measured(200));
      }
    }
  });

  it("[WAT-5] are not measured by a meter that was silent before the run, or after it", () => {
    const one = run(0, 600, "a", 40);
    const readings = readingsOfRun(one, 20, 60);
    const silent = (from: number, to: number) =>
      readings.filter(({ at: time }) => time < from * SECOND || time > to * SECOND);
    expect(meteredWater(one, silent(-3 * 3_600, 0), [])).toEqual(UNMEASURED);
    expect(meteredWater(one, silent(601, 3_600), [])).toEqual(UNMEASURED);
    expect(meteredWater(one, readings.slice(-100), [])).toEqual(UNMEASURED);
  });

  it("[WAT-5] are not measured where other consumers used water while the channel was closed", () => {
    const hourly = [-3.5, -2.5, -1.5, -0.5].map((hours) => at(hours * 3_600, 1_000));
    for (const litres of [1_050, 1_200, 5_000]) {
      const readings = [...hourly, at(0.4 * 3_600, litres), at(1.4 * 3_600, litres)];
      expect(meteredWater(run(0, 10), readings, [])).toEqual(UNMEASURED);
      expect(meteredWater(run(0, 10, "a", 40), readings, [])).toEqual(UNMEASURED);
    }
    const one = run(0, 600);
    const readings = readingsOfRun(one, 20, 60);
    for (const since of [-3 * 3_600, -120, 200, 700]) {
      const tapped = readings.map((reading) =>
        reading.at >= since * SECOND ? { ...reading, litres: reading.litres + 100 } : reading,
      );
      expect(meteredWater(one, tapped, [])).toEqual(UNMEASURED);
    }
  });

  it("[WAT-5] are not measured over a reset, an exchange or an overflow, of small counters as well", () => {
    const small = [at(-3_600, 200), at(-630, 200), at(-30, 0), at(300, 250), at(630, 500), at(1_260, 500)];
    expect(meteredWater(run(0, 600), small, [])).toEqual(UNMEASURED);
    expect(meteredWater(run(0, 600, "a", 60), small, [])).toEqual(UNMEASURED);
    const exchanged = [-2_700, -1_800, -900, 0].map((time) => at(time - 30, 500));
    for (const litres of [2_000, 20_000, 30_000]) {
      const readings = [...exchanged, at(870, litres), at(1_770, litres)];
      expect(meteredWater(run(0, 600), readings, [])).toEqual(UNMEASURED);
      expect(meteredWater(run(0, 600, "a", 60), readings, [])).toEqual(UNMEASURED);
    }
  });

  it("[WAT-5] of a run between few readings need the largest flow of its owner", () => {
    const hourly = (one: MeterRun) => meteredWater(one, readingsOfRun(run(0, 1_800), 20, 3_000), []);
    expect(hourly(run(0, 1_800))).toEqual(UNMEASURED);
    expect(hourly(run(0, 1_800, "a", 25))).toEqual(measured(600));
    expect(hourly(run(0, 1_800, "a", 15))).toEqual(UNMEASURED);
    // The owner's number bounds a run of many readings as well.
    const many = readingsOfRun(run(0, 600), 20, 60);
    expect(meteredWater(run(0, 600, "a", 25), many, [])).toEqual(measured(200));
    expect(meteredWater(run(0, 600, "a", 10), many, [])).toEqual(UNMEASURED);
  });

  it("[WAT-5] of a run whose steps show no flow of their own use that of earlier runs", () => {
    const [earlier, one] = [run(-3_600, -3_000), run(0, 300)];
    const counted = (litres: number) => [
      ...readingsOfRun(earlier, 20, 60).filter(({ at: time }) => time < 0),
      ...[10, 290, 400, 610].map((time, index) => at(time, 50_200 + (index === 0 ? 3.3 : litres))),
    ];
    expect(meteredWater(one, counted(100), [earlier])).toEqual(measured(100));
    expect(meteredWater(one, counted(300), [earlier])).toEqual(UNMEASURED);
    expect(meteredWater(one, counted(30), [earlier])).toEqual(UNMEASURED);
    expect(meteredWater(one, counted(100), [])).toEqual(UNMEASURED);
  });

  it("[WAT-5] are not measured by a meter that does not move while the channel is open", () => {
    const one = run(0, 600, "a", 40);
    expect(meteredWater(one, readingsOfRun(one, 0, 60), [])).toEqual(UNMEASURED);
    // It reports four minutes late: the run seems to go on after its end.
    const late = readingsOfRun(one, 20, 60).map((reading) => ({ ...reading, at: reading.at + 4 * MINUTE }));
    expect(meteredWater(one, late, [])).toEqual(UNMEASURED);
  });

  it("[WAT-5] are shared by the time that each channel of the meter was open", () => {
    const [a, b] = [run(0, 600, "a"), run(0, 600, "b")];
    const both = readingsOfRun(a, 40, 60);
    expect(meteredWater(a, both, [b])).toEqual(measured(200, true));
    expect(meteredWater(b, both, [a])).toEqual(measured(200, true));
    const next = run(600, 1_200, "b");
    const oneAfterTheOther = readingsOfRun(run(0, 1_200), 20, 60);
    expect(meteredWater(a, oneAfterTheOther, [next])).toEqual(measured(200));
    expect(meteredWater(next, oneAfterTheOther, [a])).toEqual(measured(200));
    // One that was closed long before takes no part.
    expect(meteredWater(a, readingsOfRun(a, 20, 60), [run(-7_200, -7_100, "b")])).toEqual(measured(200));
  });
});

/** Anything that may happen to a meter, and to the water through it. Times in seconds from the first run. */
const moment = fc.oneof(
  fc.integer({ min: -5 * 3_600, max: 5 * 3_600 }),
  fc.integer({ min: -600, max: 2_400 }),
  fc.integer({ min: -60, max: 400 }),
);
const size = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 1, max: 1_000_000 }),
);
const fault = fc.oneof(
  fc.record({ kind: fc.constant("reset" as const), at: moment }),
  fc.record({ kind: fc.constant("exchange" as const), at: moment, by: fc.tuple(size, fc.boolean()) }),
  fc.record({
    kind: fc.constant("glitch" as const),
    at: moment,
    to: fc.oneof(fc.constant(0), size),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant("silent" as const), at: moment, for: fc.integer({ min: 60, max: 7_200 }) }),
  fc.record({
    kind: fc.constant("late" as const),
    at: moment,
    for: fc.integer({ min: 60, max: 20_000 }),
    by: fc.integer({ min: 1, max: 280 }),
  }),
  fc.record({ kind: fc.constant("stuck" as const), at: moment, for: fc.integer({ min: 60, max: 20_000 }) }),
);
const consumer = fc.record({
  from: moment,
  length: fc.integer({ min: 5, max: 7_200 }),
  flow: fc.integer({ min: 1, max: 200 }),
});
const world = fc.record({
  base: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 0, max: 10_000_000 }),
  ),
  every: fc.oneof(fc.integer({ min: 10, max: 120 }), fc.integer({ min: 10, max: 3_600 })),
  phase: fc.double({ min: 0, max: 1, noNaN: true }),
  unit: fc.constantFrom(0.01, 1, 10),
  /** L/min of each channel. */
  flows: fc.array(fc.integer({ min: 2, max: 100 }), { minLength: 3, maxLength: 3 }),
  /** How much larger than its flow the owner set the largest flow of a channel; null where not set. */
  largest: fc.option(fc.double({ min: 1, max: 2, noNaN: true })),
  runs: fc.array(
    fc.record({
      channel: fc.integer({ min: 0, max: 2 }),
      after: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5_400 })),
      length: fc.oneof(fc.integer({ min: 5, max: 1_200 }), fc.integer({ min: 5, max: 7_200 })),
      /** s by which the valve moved before it was reported. */
      moved: fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  areTogether: fc.boolean(),
  faults: fc.array(fault, { maxLength: 2 }),
  consumers: fc.array(consumer, { maxLength: 2 }),
});

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;
type Span = { readonly from: number; readonly to: number };
const inside = ({ from, to }: Span, start: number, end: number): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start));

/** A run of a generated world, s: as its valve reports it, and the time in which water really ran. */
interface TrueRun extends Span {
  readonly channel: number;
  readonly flow: number;
  readonly open: Span;
}

function runsOf({ runs, flows, areTogether }: World): TrueRun[] {
  const made: TrueRun[] = [];
  let next = 0;
  for (const { channel, after, length, moved } of runs) {
    const from = (areTogether ? 0 : next) + after;
    const to = from + length;
    // A valve that is open is not opened again.
    const isFree = made.every((one) => one.channel !== channel || one.to + 60 < from || one.from > to + 60);
    if (!isFree) continue;
    next = to;
    const open = { from: from - moved[0], to: Math.max(from, to - moved[1]) };
    made.push({ channel, from, to, flow: flows[channel] ?? 1, open });
  }
  return made;
}

/** Simulate what a meter says of the water through it, from six hours before the first run on. */
function readingsOf(given: World, runs: readonly TrueRun[]): MeterReading[] {
  const { base, every, phase, unit, faults, consumers } = given;
  const water = (start: number, end: number): number =>
    [
      ...runs.map(({ open, flow }) => ({ ...open, flow })),
      ...consumers.map(({ from, length, flow }) => ({ from, to: from + length, flow })),
    ].reduce((sum, one) => sum + (inside(one, start, end) / 60) * one.flow, 0);
  const [start, end] = [-6 * 3_600, Math.max(...runs.map(({ to }) => to)) + 3 * 3_600];
  const counted = (time: number): number =>
    faults.reduce(
      (sum, one) =>
        one.kind === "stuck" ? sum - water(one.at, Math.min(one.at + one.for, Math.max(time, one.at))) : sum,
      water(start, time),
    );
  const changes = faults
    .flatMap((one) => (one.kind === "reset" || one.kind === "exchange" ? [one] : []))
    .sort((a, b) => a.at - b.at);
  const shown = (time: number): number => {
    let offset = base;
    for (const change of changes) {
      if (change.at > time) break;
      const total = offset + counted(change.at);
      const by = change.kind === "reset" ? -total : change.by[1] ? change.by[0] : -change.by[0];
      offset += Math.max(-total, by);
    }
    return Math.max(0, offset + counted(time));
  };
  const readings: MeterReading[] = [];
  const left = new Map(faults.map((one) => [one, one.kind === "glitch" ? one.count : 0]));
  for (let time = Math.round(start + phase * every); time < end; time += every) {
    let litres = Number.NaN;
    let from = time;
    for (const one of faults) {
      const since = time - one.at;
      if (one.kind === "silent" && since >= 0 && since < one.for) from = Number.NaN;
      if (one.kind === "late" && since >= 0 && since < one.for) from -= one.by;
      const count = left.get(one) ?? 0;
      if (one.kind !== "glitch" || since < 0 || count === 0) continue;
      left.set(one, count - 1);
      litres = one.to;
    }
    if (Number.isNaN(from)) continue;
    if (Number.isNaN(litres)) litres = shown(from);
    readings.push(at(time, Math.floor(litres / unit + 1e-9) * unit));
  }
  return readings;
}

/** Return what the model says of each run, as the relay asks it. */
function watersOf(given: World, runs: readonly TrueRun[]): MeteredWater[] {
  const readings = readingsOf(given, runs);
  const metered = runs.map(({ channel, from, to, flow }) =>
    run(from, to, `${channel}`, given.largest === null ? null : flow * given.largest),
  );
  return metered.map((one) =>
    meteredWater(
      one,
      readings.filter((reading) => reading.at >= one.from - 4 * HOUR),
      metered.filter((other) => other !== one),
    ),
  );
}

/**
 * Return the least and the most litres that a run may be given.
 *
 * The truth of a run is the water of its valve; of channels that are open together, equal parts of what ran.
 * Readings cannot show more than this:
 *
 * - Water of other consumers that ran while the channel was open: it may be in the number.
 * - Which of two valves got the water of a step in which one closed and the other opened.
 * - What one fault hides in one step: at most the water of that step, for its volume still fits the flow.
 * - One unit of the meter, and a litre while it stands still.
 */
function truthOf(given: World, runs: readonly TrueRun[], one: TrueRun): { least: number; most: number } {
  const { every, unit, consumers, faults, largest } = given;
  const edge = EDGE_MS / SECOND;
  const step = Math.max((one.to - one.from) / 8, 10) + every;
  const margin = step + 2 * edge;
  const others = runs.filter(
    (other) => other !== one && inside(other, one.from - margin, one.to + margin) > 0,
  );
  const abroad = consumers.filter(
    ({ from, length }) => inside({ from, to: from + length }, one.from - margin, one.to + margin) > 0,
  );
  const flow = [one, ...others, ...abroad].reduce((sum, each) => sum + each.flow, 0) / 60;
  // By run time: what all open channels got, in equal parts.
  const edges = [...new Set([one.from, one.to, ...others.flatMap(({ from, to }) => [from, to])])].sort(
    (a, b) => a - b,
  );
  let share = 0;
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const to = edges[index + 1] ?? from;
    const open = [one, ...others].filter((each) => inside(each, from, to) > 0);
    if (!open.includes(one)) continue;
    share += (((to - from) / 60) * open.reduce((sum, each) => sum + each.flow, 0)) / open.length;
  }
  // The valve moved some seconds before it was reported.
  share += ((one.open.to - one.open.from - (one.to - one.from)) / 60) * one.flow;
  const foreign = abroad.reduce(
    (sum, each) =>
      sum +
      (inside({ from: each.from, to: each.from + each.length }, one.from - edge, one.to + edge) / 60) *
        each.flow,
    0,
  );
  // A step in which one channel closes and another opens is shared by time, whatever their flows are.
  const mixed = others.length * 2 * (step + 8) * flow;
  const faulty = faults.length + consumers.length;
  const hidden = faulty * (step * flow + 2 * edge * flow + 2 * unit + 1);
  // With no more than the owner's largest flow to compare with, a fault may hide up to that.
  const isShort = one.to - one.from < 4 * step;
  const owner =
    faulty > 0 && largest !== null && isShort ? flow * largest * (one.to - one.from + 4 * edge) : 0;
  const slack = unit + 1 + mixed + hidden + owner;
  return { least: share - slack, most: share + foreign + slack };
}

it("[WAT-5] is the truth for each run, within what the readings can show, whatever happens to the meter", () => {
  const seen = { measured: 0, unmeasured: 0, faultyMeasured: 0 };
  fc.assert(
    fc.property(world, (given) => {
      const runs = runsOf(given);
      for (const [index, water] of watersOf(given, runs).entries()) {
        const one = runs[index];
        if (one === undefined || water.kind === "wait") continue;
        seen[water.kind] += 1;
        if (water.kind !== "measured") continue;
        if (given.faults.length > 0) seen.faultyMeasured += 1;
        const { least, most } = truthOf(given, runs, one);
        expect(water.litres).toBeGreaterThanOrEqual(least);
        expect(water.litres).toBeLessThanOrEqual(most);
      }
    }),
    parameters,
  );
  expect(seen.measured).toBeGreaterThan(50);
  expect(seen.unmeasured).toBeGreaterThan(50);
});

it("[WAT-5] is a number for each run of an honest meter whose readings are frequent", () => {
  const honest = world.map((given) => ({ ...given, faults: [], consumers: [], largest: null }));
  let seen = 0;
  fc.assert(
    fc.property(honest, (given) => {
      const runs = runsOf(given);
      for (const [index, water] of watersOf(given, runs).entries()) {
        const one = runs[index];
        if (one === undefined) continue;
        const step = Math.max((one.to - one.from) / 8, given.every);
        const isAlone = runs.every(
          (other) => other === one || inside(other, one.from - 60 - step, one.to + 60 + step) === 0,
        );
        const isFrequent = one.to - one.from >= Math.max(180, 6 * given.every);
        const isFine = (one.flow / 60) * step >= 2 * given.unit;
        if (!isAlone || !isFrequent || !isFine) continue;
        seen += 1;
        expect(water.kind).toBe("measured");
      }
    }),
    parameters,
  );
  expect(seen).toBeGreaterThan(50);
});
