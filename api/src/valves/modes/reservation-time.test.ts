import { occurrencesAround } from "@mulkko/shared/rules/calendar";
import { changesOf, occurrencesAmong, wallMinutes } from "@mulkko/shared/testing/wall-clock";
import { describe, expect, test } from "vitest";
import { createHarness, minutes } from "../../../testing/watering-harness.ts";

const at = (onTime: string, zone: string, day: string) => {
  const found = occurrencesAround(onTime, zone, Date.parse(`${day}T12:00:00Z`)).find(({ name }) =>
    name.startsWith(day),
  );
  return new Date(found?.at ?? Number.NaN).toISOString();
};

describe("a time of day in a zone", () => {
  test.each([
    ["Asia/Seoul", "06:00", "2026-11-21", "2026-11-20T21:00:00.000Z"],
    ["Europe/Berlin", "02:30", "2026-03-28", "2026-03-28T01:30:00.000Z"],
    ["America/Sao_Paulo", "00:30", "2018-11-03", "2018-11-03T03:30:00.000Z"],
    ["Asia/Kolkata", "06:00", "2026-11-21", "2026-11-21T00:30:00.000Z"],
  ])("[reservation] in %s %s on %s is %s", (zone, onTime, day, instant) => {
    expect(at(onTime, zone, day)).toBe(instant);
  });

  test.each([
    ["Europe/Berlin", "02:30", "2026-03-29", "2026-03-29T01:00:00.000Z"],
    ["America/Sao_Paulo", "00:00", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["America/Sao_Paulo", "00:30", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["Australia/Lord_Howe", "02:10", "2026-10-04", "2026-10-03T15:30:00.000Z"],
  ])(
    "[reservation] in %s %s does not exist on %s: the next minute that does is %s",
    (zone, onTime, day, instant) => {
      expect(at(onTime, zone, day)).toBe(instant);
    },
  );

  test.each([
    ["Europe/Berlin", "02:30", "2026-10-25", "2026-10-25T00:30:00.000Z"],
    ["America/Sao_Paulo", "23:30", "2018-02-17", "2018-02-18T01:30:00.000Z"],
  ])("[reservation] in %s %s exists twice on %s: the first counts, %s", (zone, onTime, day, instant) => {
    expect(at(onTime, zone, day)).toBe(instant);
  });

  test.each([
    ["Europe/Berlin", "02:30", "2026-03-28T12:00:00Z", 2],
    ["Europe/Berlin", "02:30", "2026-10-24T12:00:00Z", 2],
    ["America/Sao_Paulo", "00:30", "2018-11-03T12:00:00Z", 2],
    ["America/Sao_Paulo", "23:30", "2018-02-17T12:00:00Z", 2],
  ])("[reservation] in %s %s waters once a day over a clock change", (timezone, onTime, start, count) => {
    const harness = createHarness(Date.parse(start));
    harness.set({
      active: "reservation",
      timezone,
      reservation: { onTime, wateringDuration: 5, repeat: true },
    });
    harness.pass(minutes(48 * 60));
    expect(harness.runs).toHaveLength(count);
  });
});

const HOUR_MS = 3_600_000;
const TIMES = ["00:30", "02:30", "06:00"];

test.each(
  changesOf(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut"], [2026]).flatMap(
    ({ zone, at }) =>
      TIMES.map((onTime) => [zone, new Date(at).toISOString().slice(0, 10), onTime, at] as const),
  ),
)("[CAL-1] the engine waters in %s around %s at %s as the clock shows it", (zone, _date, onTime, change) => {
  const [from, to] = [change - 20 * HOUR_MS, change + 10 * HOUR_MS];
  const expected = occurrencesAmong(wallMinutes(zone, from - 48 * HOUR_MS, to + 24 * HOUR_MS), onTime);
  const harness = createHarness(from);
  const reservation = { onTime, wateringDuration: 5, repeat: true };
  harness.set({ active: "reservation", timezone: zone, reservation });
  harness.pass(to - from - 1);
  expect(harness.runs.map(({ wallStart }) => wallStart)).toEqual(
    expected.filter((instant) => instant >= from && instant < to),
  );
});
