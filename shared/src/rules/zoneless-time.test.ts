import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { CHANGING_ZONES, type ClockChange, changesOf, wallWriter } from "../testing/wall-clock.ts";
import { createApiTimeZone } from "./api-time.ts";
import { comingTime, newestTime, seriesTimes, wallRange } from "./zoneless-time.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SEED = 20_261_128;
const RUNS = 500;
const utc = (text: string): number => Date.parse(text);

const zones = new Map(CHANGING_ZONES.map((name) => [name, createApiTimeZone(name)]));
const zoneOf = (name: string) => zones.get(CHANGING_ZONES.find((one) => one === name) ?? "Europe/Berlin");
const writers = new Map<string, (instant: number) => string>();
function write(zone: string, instant: number): string {
  const known = writers.get(zone) ?? wallWriter(zone);
  writers.set(zone, known);
  return known(instant);
}
const CHANGES = changesOf(CHANGING_ZONES, [2016, 2021, 2026, 2027]);
const change = fc.constantFrom(...CHANGES);
const parameters = { seed: Number(process.env.FUZZ_SEED ?? SEED), numRuns: RUNS };

/** Return how long the period is that a change repeats, or skips. */
const lengthOf = ({ before, after }: ClockChange): number => Math.abs(before - after);

test("[TIME-1] the generated clock changes go both ways, by half an hour, an hour and two", () => {
  const sizes = new Set(CHANGES.map(({ before, after }) => (after - before) / MINUTE));
  expect([...sizes].sort((a, b) => a - b)).toEqual([-120, -60, -30, 30, 60, 120]);
  expect(new Set(CHANGES.map(({ zone }) => zone)).size).toBe(CHANGING_ZONES.length);
});

/** A device that reports, and an API that is polled, around a clock change. Lengths in ms. */
const polled = fc.record({
  change,
  rowEvery: fc.integer({ min: 5 * SECOND, max: 3 * HOUR }),
  /** A share of the length of the repeated period. */
  pollEvery: fc.double({ min: 0.02, max: 0.6, noNaN: true }),
  phase: fc.double({ min: 0, max: 1, noNaN: true }),
  /** By how much the device's clock is ahead. */
  ahead: fc.integer({ min: 0, max: 4 * MINUTE }),
  hasSeconds: fc.boolean(),
});

describe("the newest row of a polled API", () => {
  it("[TIME-1] is read as of its instant through every clock change, and never stands still", () => {
    fc.assert(
      fc.property(polled, ({ change: one, rowEvery, pollEvery, phase, ahead, hasSeconds }) => {
        const zone = zoneOf(one.zone);
        if (!zone) return;
        const unit = hasSeconds ? SECOND : MINUTE;
        const pollMs = pollEvery * lengthOf(one);
        // Beyond a minute only the row before proves that a time is not the first occurrence.
        const isProved = rowEvery + pollMs < lengthOf(one) - 5 * MINUTE;
        const lead = isProved ? ahead : ahead % (50 * SECOND);
        const from = one.at - 3 * HOUR;
        const firstRow = Math.floor((from - phase * rowEvery) / SECOND) * SECOND;
        let known: { at: number; row: number } | null = null;
        for (let now = from; now < one.at + 5 * HOUR; now += pollMs) {
          const row = Math.floor((now - firstRow) / rowEvery);
          const truth = firstRow + row * rowEvery + lead;
          const text = write(one.zone, truth).slice(0, hasSeconds ? 19 : 16);
          const before: number | null = known?.at ?? null;
          const at = newestTime(text, zone, { now, before, isOther: known !== null && known.row !== row });
          expect(at).toBe(Math.floor(truth / unit) * unit);
          known = { at: at ?? 0, row };
        }
      }),
      parameters,
    );
  });

  it("[TIME-1] is read as of its instant by a relay that starts in a repeated hour, if it is recent", () => {
    const start = fc.record({ change, age: fc.integer({ min: 0, max: 25 * MINUTE }), share: fc.nat(99) });
    fc.assert(
      fc.property(start, ({ change: one, age, share }) => {
        const zone = zoneOf(one.zone);
        const now = one.at - lengthOf(one) + (share / 100) * 2 * lengthOf(one);
        const truth = Math.floor((now - age) / SECOND) * SECOND;
        expect(zone && newestTime(write(one.zone, truth), zone, { now })).toBe(truth);
      }),
      parameters,
    );
  });

  it("[TIME-1] is still the row before where a silent device showed it in the first of two hours", () => {
    const berlin = createApiTimeZone("Europe/Berlin");
    const before = utc("2026-10-25T00:10:00.300Z");
    for (let now = before; now < before + 4 * HOUR; now += 10 * SECOND) {
      expect(newestTime("2026-10-25 02:10:00", berlin, { now, before })).toBe(utc("2026-10-25T00:10:00Z"));
    }
    // Another row of a device that reports every hour.
    const now = utc("2026-10-25T01:10:20Z");
    const next = newestTime("2026-10-25 02:10:00", berlin, { now, before, isOther: true });
    expect(next).toBe(utc("2026-10-25T01:10:00Z"));
  });

  it("[TIME-1] reads a time with a zone, and seconds or milliseconds since 1970", () => {
    const berlin = createApiTimeZone("Europe/Berlin");
    const now = utc("2026-10-25T03:00:00Z");
    const at = utc("2026-10-25T00:10:00Z");
    for (const text of ["2026-10-25T00:10:00Z", "2026-10-25 02:10+02:00", `${at}`, `${at / 1_000}`]) {
      expect(newestTime(text, berlin, { now })).toBe(at);
    }
    for (const text of ["", "soon", null, undefined]) expect(newestTime(text, berlin, { now })).toBeNull();
  });

  it("[TIME-1] reads a skipped time with the offset before the change, and 24:00 as the next midnight", () => {
    const berlin = createApiTimeZone("Europe/Berlin");
    const now = utc("2026-11-21T00:00:00Z");
    expect(newestTime("2026-03-29 02:30", berlin, { now })).toBe(utc("2026-03-29T01:30:00Z"));
    expect(newestTime("2026-10-31 24:00", berlin, { now })).toBe(utc("2026-10-31T23:00:00Z"));
    expect(newestTime("2026-10-31 24:01", berlin, { now })).toBeNull();
  });
});

it("[TIME-1] the end of a run is the first occurrence of its time that is not before the report", () => {
  const ending = fc.record({ change, share: fc.nat(200), length: fc.integer({ min: 0, max: 55 }) });
  fc.assert(
    fc.property(ending, ({ change: one, share, length }) => {
      const zone = zoneOf(one.zone);
      const report = one.at - lengthOf(one) + Math.floor(((share / 100) * lengthOf(one)) / SECOND) * SECOND;
      const until = report + Math.floor((length / 60) * lengthOf(one));
      const whole = Math.floor(until / SECOND) * SECOND;
      const read = zone && comingTime(write(one.zone, whole), zone, report);
      // The time of an end may come before the change too: then both occurrences lie after the report.
      const earlier = whole - lengthOf(one);
      const isTwice = earlier >= report && write(one.zone, earlier) === write(one.zone, whole);
      expect(read).toBe(isTwice ? earlier : whole);
    }),
    parameters,
  );
});

describe("the rows of a log", () => {
  const log = fc.record({
    change,
    /** A share of the length of the repeated period. */
    rowEvery: fc.double({ min: 0.02, max: 1, noNaN: true }),
    phase: fc.double({ min: 0, max: 1, noNaN: true }),
    isDescending: fc.boolean(),
  });

  it("[TIME-2] are read as of their instants through every clock change, oldest or newest first", () => {
    fc.assert(
      fc.property(log, ({ change: one, rowEvery, phase, isDescending }) => {
        const zone = zoneOf(one.zone);
        const every = Math.max(SECOND, Math.round((rowEvery * lengthOf(one)) / SECOND) * SECOND);
        const start = Math.floor((one.at - 6 * HOUR - phase * every) / SECOND) * SECOND;
        const truths = Array.from(
          { length: Math.ceil((12 * HOUR) / every) },
          (_, index) => start + index * every,
        );
        if (isDescending) truths.reverse();
        const texts = truths.map((at) => write(one.zone, at));
        expect(zone && seriesTimes(texts, zone, one.at + 9 * HOUR)).toEqual(truths);
      }),
      { ...parameters, numRuns: 200 },
    );
  });

  it("[TIME-2] are those of the hour that is closer to the rows around it, where only one has rows", () => {
    const berlin = createApiTimeZone("Europe/Berlin");
    const now = utc("2026-10-26T00:00:00Z");
    const read = (...walls: string[]) =>
      seriesTimes(
        walls.map((wall) => `2026-10-25 ${wall}`),
        berlin,
        now,
      ).map((at) => new Date(at ?? 0).toISOString().slice(11, 16));
    expect(read("01:50", "02:00", "02:10", "03:20")).toEqual(["23:50", "00:00", "00:10", "02:20"]);
    expect(read("01:20", "02:30", "02:40", "02:50", "03:00")).toEqual([
      "23:20",
      "01:30",
      "01:40",
      "01:50",
      "02:00",
    ]);
    // No row is later than the clock of its writer.
    const texts = ["2026-10-25 01:00", "2026-10-25 02:40"];
    const early = seriesTimes(texts, berlin, utc("2026-10-25T00:41:00Z"));
    expect(early.at(-1)).toBe(utc("2026-10-25T00:40:00Z"));
  });

  it("[TIME-2] may be mixed with times that carry a zone, and with text that is no time", () => {
    const berlin = createApiTimeZone("Europe/Berlin");
    const texts = ["2026-10-25 02:50", "soon", "2026-10-25T01:00:00Z", "2026-10-25 02:10", null];
    expect(seriesTimes(texts, berlin, utc("2026-10-26T00:00:00Z"))).toEqual([
      utc("2026-10-25T00:50:00Z"),
      null,
      utc("2026-10-25T01:00:00Z"),
      utc("2026-10-25T01:10:00Z"),
      null,
    ]);
    expect(seriesTimes([], berlin, 0)).toEqual([]);
  });
});

it("[TIME-3] a range covers its span, whichever occurrence of a repeated time the API takes", () => {
  const asked = fc.record({
    change,
    from: fc.integer({ min: -4 * HOUR, max: 4 * HOUR }),
    length: fc.integer({ min: 1, max: 4 * HOUR }),
  });
  fc.assert(
    fc.property(asked, ({ change: one, from, length }) => {
      const zone = zoneOf(one.zone);
      if (!zone) return;
      const span = { from: one.at + from, to: one.at + from + length };
      const { start, end } = wallRange(span.from, span.to, zone);
      const minuteOf = (instant: number) => write(one.zone, instant).slice(0, 16);
      const instantsOf = (text: string) => {
        const first = zone.toInstant(text) ?? Number.NaN;
        return [first - lengthOf(one), first, first + lengthOf(one)].filter((at) => minuteOf(at) === text);
      };
      for (const at of instantsOf(start)) expect(at).toBeLessThanOrEqual(span.from);
      for (const at of instantsOf(end)) expect(at).toBeGreaterThanOrEqual(span.to - MINUTE);
      expect(instantsOf(start).length * instantsOf(end).length).toBeGreaterThan(0);
    }),
    parameters,
  );
});
