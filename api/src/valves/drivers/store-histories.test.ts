import fc from "fast-check";
import { expect, test } from "vitest";
import { DrivenValve, type StoreFault } from "../../../testing/drivers/driven-valve.ts";
import type { EngineSettings } from "../modes/engine-settings.ts";

const SEED = 20_261_128;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const duration = fc.integer({ min: 1, max: 15 });
const repeat = fc.boolean();
const time = fc
  .tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
const mode: fc.Arbitrary<Partial<EngineSettings>> = fc.oneof(
  fc.record({
    active: fc.constant("automatic" as const),
    automatic: fc.record({
      lowerBound: fc.constant(30),
      upperBound: fc.constant(40),
      wateringDuration: duration,
    }),
  }),
  fc.record({
    active: fc.constant("reservation" as const),
    reservation: fc.record({ onTime: time, wateringDuration: duration, repeat }),
  }),
  fc.record({
    active: fc.constant("period" as const),
    period: fc.record({
      wateringInterval: fc.integer({ min: 16, max: 30 }),
      wateringDuration: duration,
      repeat,
    }),
  }),
);

type Step = readonly [name: string, run: (valve: DrivenValve) => unknown];
const fixed = (name: string, run: Step[1]): fc.Arbitrary<Step> => fc.constant([name, run]);
const pass = fc
  .integer({ min: 1, max: 30 })
  .map((minutes): Step => [`pass ${minutes} min`, (valve) => valve.pass(minutes * MINUTE_MS)]);
const moment = fixed("pass 10 s", (valve) => valve.pass(10_000));
const fault = fc
  .constantFrom<StoreFault>("none", "none", "none", "no-writes", "away", "hangs", "hangs-at-writes")
  .map((name): Step => [`store: ${name}`, (valve) => valve.fail(name)]);
/** Sequences that would be rare otherwise. */
const together: fc.Arbitrary<Step> = fc.oneof(
  fixed("wet while the store is away", async (valve) => {
    valve.fail("away");
    valve.measure(45);
    await valve.pass(2 * MINUTE_MS);
  }),
  fixed("dry, and a close during the write of the run", async (valve) => {
    valve.measure(20);
    valve.fail("hangs-at-writes");
    await valve.pass(30_000);
    await valve.close();
    valve.fail("none");
    await valve.pass(10_000);
  }),
  fixed("an opening that waits for the store, and a close", async (valve) => {
    valve.fail("hangs");
    await valve.open(5);
    await valve.close();
    valve.fail("none");
    await valve.pass(10_000);
  }),
);
const step = (isAlwaysOnline: boolean): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 6, arbitrary: pass },
    { weight: 4, arbitrary: moment },
    { weight: 8, arbitrary: fault },
    { weight: 5, arbitrary: together },
    {
      weight: 3,
      arbitrary: mode.map((one): Step => [JSON.stringify(one), (valve) => valve.set(one)]),
    },
    { weight: 2, arbitrary: fixed("mode off", (valve) => valve.set({ active: "none" })) },
    {
      weight: 3,
      arbitrary: duration.map((minutes): Step => [`open ${minutes} min`, (valve) => valve.open(minutes)]),
    },
    { weight: 2, arbitrary: fixed("close", (valve) => valve.close()) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(20, 20, 20, 35, 45, null)
        .map((moisture): Step => [`moisture ${moisture}`, (valve) => valve.measure(moisture)]),
    },
    { weight: 2, arbitrary: fixed("redeliver", (valve) => valve.redeliver()) },
    { weight: 2, arbitrary: fixed("restart", (valve) => valve.restart()) },
    { weight: 1, arbitrary: fixed("button", (valve) => valve.press()) },
    ...(isAlwaysOnline
      ? []
      : [
          { weight: 1, arbitrary: fixed("offline", (valve) => valve.connect(false)) },
          { weight: 3, arbitrary: fixed("online", (valve) => valve.connect(true)) },
        ]),
  );

async function play(
  hasTimer: boolean,
  first: Partial<EngineSettings>,
  steps: readonly Step[],
): Promise<void> {
  const valve = new DrivenValve(hasTimer);
  await valve.connect(true);
  valve.measure(20);
  await valve.pass(10_000);
  await valve.set(first);
  for (const [, run] of steps) await run(valve);
  await valve.recover();
}

test.each([
  ["ends each run by itself", true],
  ["ends no run by itself", false],
])(
  "[AUTO-9] every end closes, a mode without repeat waters once, nothing opens unstored: a valve that %s",
  async (_name, hasTimer) => {
    await fc.assert(
      fc.asyncProperty(
        mode,
        fc.array(step(!hasTimer), { minLength: 10, maxLength: 60, size: "max" }),
        (first, steps) => play(hasTimer, first, steps),
      ),
      { seed: SEED, numRuns: 80 },
    );
  },
  120_000,
);

test("[AUTO-9] automatic closes at its bound while writes fail, and its end is stored when they succeed again", async () => {
  const valve = new DrivenValve(false);
  await valve.connect(true);
  valve.measure(20);
  await valve.set({
    active: "automatic",
    automatic: { lowerBound: 30, upperBound: 40, wateringDuration: 15 },
  });
  await valve.pass(MINUTE_MS);
  expect(valve.isOpen).toBe(true);
  valve.fail("no-writes");
  valve.measure(45);
  await valve.pass(15_000);
  expect(valve.isOpen).toBe(false);
  expect(valve.stored.run).not.toBeNull();
  await valve.pass(HOUR_MS);
  // A line for the outage, not one for each attempt.
  expect(valve.logged).toEqual(["error: cannot store watering: valves are closed, but no mode opens"]);
  valve.fail("none");
  await valve.pass(15_000);
  expect(valve.stored).toEqual({ active: "automatic", run: null, onoff: 2 });
  expect(valve.logged.slice(1)).toEqual(["info: watering stored again"]);
});

test("[AUTO-9] a mode without repeat is over although the end of its run was stored late, with a message sent twice", async () => {
  const valve = new DrivenValve(true);
  await valve.connect(true);
  await valve.pass(10_000);
  const period = { wateringInterval: 20, wateringDuration: 5, repeat: false };
  await valve.set({ active: "period", period });
  await valve.pass(21 * MINUTE_MS);
  expect(valve.isOpen).toBe(true);
  valve.fail("no-writes");
  await valve.pass(6 * MINUTE_MS);
  await valve.redeliver();
  expect([valve.isOpen, valve.stored.active]).toEqual([false, "period"]);
  valve.fail("none");
  await valve.pass(10_000);
  expect(valve.stored).toEqual({ active: "none", run: null, onoff: 2 });
  await valve.pass(HOUR_MS);
  expect(valve.sent.filter((command) => command.startsWith("Backlog0"))).toHaveLength(1);
});

test.each([
  [
    "a user's opening",
    async (valve: DrivenValve) => {
      // It ends the run of a mode, which is stored first.
      valve.fail("none");
      valve.measure(20);
      await valve.pass(MINUTE_MS);
      expect(valve.isOpen).toBe(true);
      valve.fail("hangs-at-writes");
      await valve.open(5);
    },
  ],
  [
    "a mode's opening",
    async (valve: DrivenValve) => {
      valve.measure(20);
      await valve.pass(MINUTE_MS);
    },
  ],
])(
  "[AUTO-9] a close overtakes %s that waits for the store, which then opens nothing",
  async (_name, open) => {
    const valve = new DrivenValve(false);
    await valve.connect(true);
    const automatic = { lowerBound: 30, upperBound: 40, wateringDuration: 15 };
    await valve.set({ active: "automatic", automatic });
    valve.measure(50);
    await valve.pass(10_000);
    valve.fail("hangs-at-writes");
    await open(valve);
    const sent = valve.sent.length;
    await valve.close();
    expect(valve.sent.slice(sent)).toContain("POWER1 OFF");
    valve.fail("none");
    await valve.pass(5_000);
    expect(valve.sent.slice(sent).filter((command) => command.startsWith("Backlog0"))).toEqual([]);
    await valve.recover();
  },
);
