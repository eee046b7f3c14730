import { MIN_PAUSE_MS } from "@mulkko/shared/rules/automatic-mode";
import { occurrencesAround } from "@mulkko/shared/rules/calendar";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createHarness, type Harness, minutes } from "../../../testing/watering-harness.ts";
import { LATE_MS } from "./decide.ts";

const SEED = 20_261_121;
const ZONES = ["Asia/Seoul", "Europe/Berlin", "America/Sao_Paulo"];
/** The evening before a clock change in Berlin, either way, and in São Paulo. */
const STARTS = [
  "2026-11-21T03:00:00Z",
  "2026-03-28T23:40:00Z",
  "2026-10-24T23:40:00Z",
  "2018-11-04T02:40:00Z",
  "2018-02-18T01:10:00Z",
];

const duration = fc.integer({ min: 1, max: 30 });
const percent = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
const clockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));

const setting = fc.oneof(
  fc.record({
    active: fc.constant("automatic" as const),
    automatic: fc.record({ lowerBound: percent, upperBound: percent, wateringDuration: duration }),
  }),
  fc.record({
    active: fc.constant("reservation" as const),
    timezone: fc.constantFrom(...ZONES),
    reservation: fc.record({ onTime: clockTime, wateringDuration: duration, repeat: fc.boolean() }),
  }),
  fc.record({
    active: fc.constant("period" as const),
    period: fc.record({
      wateringInterval: fc.integer({ min: 1, max: 60 }),
      wateringDuration: duration,
      repeat: fc.boolean(),
    }),
  }),
  fc.constant({ active: "none" as const }),
);

type Step = (harness: Harness) => void;
const span = fc.integer({ min: 1, max: minutes(40) });
const hours = fc.integer({ min: -minutes(300), max: minutes(300) });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: span.map(
      (ms): Step =>
        (harness) =>
          harness.pass(ms),
    ),
  },
  {
    weight: 2,
    arbitrary: hours.map(
      (ms): Step =>
        (harness) =>
          harness.jump(ms),
    ),
  },
  {
    weight: 2,
    arbitrary: span.map(
      (ms): Step =>
        (harness) =>
          harness.restart(ms),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((harness) => harness.closeByHand()) },
  {
    weight: 3,
    arbitrary: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }).map(
      (moisture): Step =>
        (harness) => {
          harness.moisture = moisture;
        },
    ),
  },
);

/** Run steps under one setting. */
function play(one: Parameters<Harness["set"]>[0], start: string, steps: readonly Step[]): Harness {
  const harness = createHarness(Date.parse(start));
  harness.moisture = 10;
  harness.set(one);
  for (const take of steps) take(harness);
  return harness;
}

const worlds = [setting, fc.constantFrom(...STARTS), fc.array(step, { maxLength: 12 })] as const;
const options = { seed: SEED, numRuns: 150 };

test("[engine] each open has an end, and no water flows beyond it", () => {
  fc.assert(
    fc.property(...worlds, (one, start, steps) => {
      for (const { from, until, closed } of play(one, start, steps).runs) {
        expect(until).toBeGreaterThan(from);
        expect(until - from).toBeLessThanOrEqual(minutes(30));
        if (closed !== null) expect(closed).toBeLessThanOrEqual(until);
      }
    }),
    options,
  );
});

test("[engine] two runs never overlap, and those of the automatic mode are never closer than its pause", () => {
  fc.assert(
    fc.property(...worlds, (one, start, steps) => {
      const { runs } = play(one, start, steps);
      for (const [index, run] of runs.entries()) {
        const before = runs[index - 1];
        if (!before) continue;
        expect(before.closed).not.toBeNull();
        const gap = run.from - (before.closed ?? 0);
        const rest =
          one.active === "automatic" ? Math.max(MIN_PAUSE_MS, minutes(one.automatic.wateringDuration)) : 0;
        expect(gap).toBeGreaterThanOrEqual(rest);
      }
    }),
    options,
  );
});

test("[engine] a reservation begins within its minute by the wall clock, and never twice for the same", () => {
  const reservations = setting.filter((one) => one.active === "reservation");
  fc.assert(
    fc.property(reservations, worlds[1], worlds[2], (one, start, steps) => {
      const names = play(one, start, steps).runs.map(({ wallStart }) => {
        const due = occurrencesAround(one.reservation.onTime, one.timezone, wallStart).find(
          ({ at }) => wallStart >= at && wallStart < at + LATE_MS,
        );
        expect(due).toBeDefined();
        return due?.name;
      });
      expect(new Set(names).size).toBe(names.length);
    }),
    options,
  );
});

test("[AUTO-6] a period never starts twice within its interval, whatever the wall clock does", () => {
  const periods = setting.filter((one) => one.active === "period");
  fc.assert(
    fc.property(periods, worlds[1], worlds[2], (one, start, steps) => {
      const { runs } = play(one, start, steps);
      for (const [index, run] of runs.entries()) {
        const before = runs[index - 1];
        if (before) expect(run.from - before.from).toBeGreaterThan(minutes(one.period.wateringDuration));
      }
    }),
    options,
  );
});
