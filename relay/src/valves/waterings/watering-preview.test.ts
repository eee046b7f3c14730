import type { Modes } from "@mulkko/shared/entities/modes";
import { type ApiTimeZone, createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { changesOf, occurrencesAmong, wallMinutes } from "@mulkko/shared/testing/wall-clock";
import { describe, expect, it } from "vitest";
import { buildWatering } from "../../../testing/waterings.ts";
import { type PreviewChannel, previewWaterings } from "./watering-preview.ts";

const at = (text: string): number => Date.parse(text);
const seoul = createApiTimeZone("Asia/Seoul");
const berlin = createApiTimeZone("Europe/Berlin");
/** 12:00 in Seoul. */
const NOW = at("2026-11-21T03:00:00Z");
const NO_MODES: Modes = { active: "none", automatic: null, reservation: null, period: null };

function buildChannel(id: string, change: Partial<PreviewChannel> = {}): PreviewChannel {
  return {
    place: { channelId: id, controllerId: `box-${id}`, number: 1, farmIds: ["1"], quality: "fresh" },
    modes: NO_MODES,
    running: null,
    lastPeriod: null,
    ...change,
  };
}
const reservation = (onTime: string | null, wateringDuration = 30, repeat = true): Modes => ({
  ...NO_MODES,
  active: "reservation",
  reservation: { onTime, wateringDuration, repeat },
});
const period = (wateringInterval: number | null, repeat = true): Modes => ({
  ...NO_MODES,
  active: "period",
  period: { wateringInterval, wateringDuration: 20, repeat },
});
const preview = (...channels: PreviewChannel[]) => previewWaterings(channels, seoul, NOW);

describe("the preview of the next 24 hours", () => {
  it("[WAT-3] contains a reservation at its time in the account's time zone", () => {
    const { planned, untimed } = preview(buildChannel("11", { modes: reservation("06:30") }));
    expect(planned).toMatchObject([
      {
        channelId: "11",
        kind: "reservation",
        start: "2026-11-21T21:30:00.000Z",
        end: "2026-11-21T22:00:00.000Z",
        basis: "time",
        overlaps: [],
      },
    ]);
    expect(untimed).toEqual([]);
  });

  it("[WAT-3] contains a mode only while it is active", () => {
    const modes = { ...reservation("06:30"), active: "none" } as const;
    expect(preview(buildChannel("11", { modes })).planned).toEqual([]);
  });

  it("[WAT-3] follows the local clock over a daylight saving change", () => {
    const times = (onTime: string, from: string) =>
      previewWaterings([buildChannel("11", { modes: reservation(onTime) })], berlin, at(from)).planned.map(
        ({ start }) => start,
      );
    // The night of 25 October has 25 hours. That of 29 March has 23, without the time 02:30.
    expect(times("06:30", "2026-10-24T20:00:00Z")).toEqual(["2026-10-25T05:30:00.000Z"]);
    expect(times("06:30", "2026-03-28T20:00:00Z")).toEqual(["2026-03-29T04:30:00.000Z"]);
    expect(times("02:30", "2026-03-28T20:00:00Z")).toHaveLength(1);
    expect(times("02:30", "2026-10-24T20:00:00Z")).toHaveLength(1);
  });

  it("[WAT-3] counts a period from its last run, and reports if none is known", () => {
    const known = buildChannel("11", { modes: period(480), lastPeriod: NOW - 60 * 60_000 });
    const unknown = buildChannel("12", { modes: period(480) });
    const behind = buildChannel("13", { modes: period(60), lastPeriod: NOW - 3 * 3_600_000 });
    const once = buildChannel("14", { modes: period(480, false), lastPeriod: NOW - 60_000 });
    const { planned, untimed } = preview(known, unknown, behind, once);
    expect(planned.map(({ channelId, start, basis }) => [channelId, start, basis])).toEqual([
      ["11", "2026-11-21T10:00:00.000Z", "last-run"],
      ["11", "2026-11-21T18:00:00.000Z", "last-run"],
      ["11", "2026-11-22T02:00:00.000Z", "last-run"],
    ]);
    expect(untimed.map(({ channelId, reason }) => [channelId, reason])).toEqual([
      ["12", "start-unknown"],
      ["13", "start-unknown"],
      ["14", "start-unknown"],
    ]);
  });

  it("[WAT-3] counts a period from when its controller counts, whatever was recorded", () => {
    const counting = (id: string, minutesAgo: number, repeat = true, lastPeriod: number | null = null) => {
      const modes = period(480, repeat);
      const countsFrom = new Date(NOW - minutesAgo * 60_000).toISOString();
      if (modes.period) Object.assign(modes.period, { countsFrom });
      return buildChannel(id, { modes, lastPeriod });
    };
    // The last has waited for a person: two starts are left out.
    const late = counting("14", 3 * 480 - 1);
    const channels = [
      counting("11", 0),
      counting("12", 60, true, NOW - 60_000),
      counting("13", 60, false),
      late,
    ];
    const { planned, untimed } = preview(...channels);
    expect(planned.map(({ channelId, start, basis }) => [channelId, start, basis])).toEqual([
      ["14", "2026-11-21T03:01:00.000Z", "report"],
      ["12", "2026-11-21T10:00:00.000Z", "report"],
      ["13", "2026-11-21T10:00:00.000Z", "report"],
      ["11", "2026-11-21T11:00:00.000Z", "report"],
      ["14", "2026-11-21T11:01:00.000Z", "report"],
      ["12", "2026-11-21T18:00:00.000Z", "report"],
      ["11", "2026-11-21T19:00:00.000Z", "report"],
      ["14", "2026-11-21T19:01:00.000Z", "report"],
      ["12", "2026-11-22T02:00:00.000Z", "report"],
    ]);
    expect(untimed).toEqual([]);
  });

  it.each([
    [0, "2026-11-21T03:00:00.000Z"],
    [59_999, "2026-11-21T03:00:00.000Z"],
    [60_000, "2026-11-21T03:01:00.000Z"],
    [60_001, "2026-11-21T03:09:00.000Z"],
    [119_999, "2026-11-21T03:09:00.000Z"],
  ])("[WAT-3] leaves out a start once it is skipped, within the minute: %i ms late", (lateMs, next) => {
    const modes = period(9);
    if (modes.period) Object.assign(modes.period, { countsFrom: new Date(NOW - 9 * 60_000).toISOString() });
    const { planned } = previewWaterings([buildChannel("11", { modes })], seoul, NOW + lateMs);
    expect(planned[0]?.start).toBe(next);
  });

  it("[WAT-3] gives the reason why a mode has no predictable time", () => {
    const automatic: Modes = {
      ...NO_MODES,
      active: "automatic",
      automatic: { lowerBound: 20, upperBound: 40, wateringDuration: 10 },
    };
    const { untimed } = preview(
      buildChannel("11", { modes: automatic }),
      buildChannel("12", { modes: { ...automatic, incomplete: "sensor" } }),
      buildChannel("13", { modes: reservation(null) }),
      buildChannel("14", { modes: reservation("06:30", 0) }),
      buildChannel("15", { modes: period(null) }),
      buildChannel("16", { modes: { ...NO_MODES, active: "period" } }),
    );
    expect(untimed.map(({ reason, lack }) => [reason, lack])).toEqual([
      ["by-moisture", null],
      ["incomplete", "sensor"],
      ["incomplete", "time"],
      ["incomplete", "duration"],
      ["incomplete", "interval"],
      ["incomplete", "setting"],
    ]);
  });

  it("[WAT-3] names the channels that have not reported their active mode yet", () => {
    expect(preview(buildChannel("11", { modes: null }), buildChannel("12"))).toMatchObject({
      planned: [],
      untimed: [],
      unread: ["11"],
    });
  });

  it("[WAT-3] contains running waterings, and does not plan a single run again", () => {
    const running = {
      watering: buildWatering("2026-11-21T02:55:00.000Z", { cause: "reservation", end: null }),
      until: NOW + 300_000,
    };
    const { planned } = preview(
      buildChannel("11", { modes: reservation("12:10", 30, false), running }),
      buildChannel("12", { modes: reservation("12:10", 30, false) }),
    );
    expect(planned.map(({ channelId, kind }) => [channelId, kind])).toEqual([
      ["11", "running"],
      ["12", "reservation"],
    ]);
  });

  it("[WAT-3] marks overlaps on one farm or one controller, and no others", () => {
    const elsewhere = { ...buildChannel("14").place, farmIds: ["2"] };
    const noFarm = (id: string) => ({ ...buildChannel(id).place, controllerId: "box", farmIds: [] });
    const { planned } = preview(
      buildChannel("11", { modes: reservation("13:00") }),
      buildChannel("12", { modes: reservation("13:29") }),
      buildChannel("13", { modes: reservation("13:30") }),
      buildChannel("14", { modes: reservation("13:10"), place: elsewhere }),
      buildChannel("15", { modes: reservation("13:05"), place: noFarm("15") }),
      buildChannel("16", { modes: reservation("13:20"), place: noFarm("16") }),
    );
    const names = new Map(planned.map(({ id, channelId }) => [id, channelId]));
    const overlaps = Object.fromEntries(
      planned.map(({ channelId, overlaps: ids }) => [channelId, ids.map((id) => names.get(id))]),
    );
    expect(overlaps).toEqual({ 11: ["12"], 12: ["11", "13"], 13: ["12"], 14: [], 15: ["16"], 16: ["15"] });
  });

  it("[WAT-3] is bounded, and reports that it was truncated", () => {
    const channels = Array.from({ length: 8 }, (_, index) =>
      buildChannel(`${index}`, { modes: period(1), lastPeriod: NOW }),
    );
    const { planned, truncated } = preview(...channels);
    expect([planned.length, truncated]).toEqual([500, true]);
    expect(Math.max(...planned.map(({ overlaps }) => overlaps.length))).toBeLessThanOrEqual(20);
  });
});

describe("reservations around clock changes", () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  const TIMES = ["00:00", "00:30", "02:00", "02:30", "06:00", "23:30"];
  const starts = (zone: ApiTimeZone, now: number) =>
    previewWaterings(
      TIMES.map((onTime) => buildChannel(onTime, { modes: reservation(onTime) })),
      zone,
      now,
    ).planned.map(({ channelId, start }) => `${start} ${channelId}`);

  it.each(
    changesOf(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut"], [2026]).map(
      ({ zone, at }) => [zone, new Date(at).toISOString(), at] as const,
    ),
  )("[CAL-1] are planned as the clock of %s shows them, at every minute before %s", (zone, _name, change) => {
    const clock = createApiTimeZone(zone);
    const midnight = Math.floor(change / DAY_MS) * DAY_MS;
    const minutes = wallMinutes(zone, midnight - 3 * DAY_MS, midnight + 4 * DAY_MS);
    const known = TIMES.flatMap((onTime) =>
      occurrencesAmong(minutes, onTime).map((time) => ({ onTime, time })),
    );
    known.sort((a, b) => a.time - b.time || a.onTime.localeCompare(b.onTime));
    for (let now = change - 26 * HOUR_MS; now < change + 2 * HOUR_MS; now += 60_000) {
      const expected = known
        .filter(({ time }) => time >= now && time < now + DAY_MS)
        .map(({ onTime, time }) => `${new Date(time).toISOString()} ${onTime}`);
      expect(starts(clock, now)).toEqual(expected);
    }
  });

  it.each([
    ["Europe/Berlin", "06:00", "2026-03-28T22:15:00Z", ["2026-03-29T04:00:00Z"]],
    ["Europe/Berlin", "00:30", "2026-03-28T22:15:00Z", ["2026-03-28T23:30:00Z"]],
    ["Europe/Berlin", "02:30", "2026-03-28T21:50:00Z", ["2026-03-29T01:00:00Z"]],
    ["Europe/Berlin", "02:30", "2026-03-29T01:01:00Z", ["2026-03-30T00:30:00Z"]],
    ["America/New_York", "06:00", "2026-03-08T04:15:00Z", ["2026-03-08T10:00:00Z"]],
  ])("[CAL-1] in %s at %s, seen at %s, are planned at %j", (zone, onTime, now, expected) => {
    const channel = buildChannel("11", { modes: reservation(onTime) });
    const { planned } = previewWaterings([channel], createApiTimeZone(zone), at(now));
    expect(planned.map(({ start }) => at(start))).toEqual(expected.map(at));
  });
});
