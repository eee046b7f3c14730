import type { PlannedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";
import { describe, expect, it } from "vitest";
import { hourMarks, labelSide, placeOf, roomBehind, timelineOf } from "./timeline.ts";

const FROM = Date.parse("2026-11-21T21:00:00Z");
const HOUR = 3_600_000;
const iso = (hours: number): string => new Date(FROM + hours * HOUR).toISOString();

const place = (number: number) => ({
  channelId: `${number}`,
  controllerId: "box",
  number,
  farmIds: ["1"],
  quality: "fresh" as const,
});

const plan = (
  number: number,
  start: number,
  end: number | null,
  change: Partial<PlannedWatering> = {},
): PlannedWatering => ({
  ...place(number),
  id: `${number}/${start}`,
  kind: "reservation",
  start: iso(start),
  end: end === null ? null : iso(end),
  basis: "time",
  overlaps: [],
  ...change,
});

const preview = (change: Partial<WateringPreview>): WateringPreview => ({
  timezone: "Asia/Seoul",
  from: iso(0),
  to: iso(24),
  planned: [],
  untimed: [],
  unread: [],
  truncated: false,
  ...change,
});

const hoursIn = (zone: string, marks: readonly number[]): string[] =>
  marks.map((mark) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).format(mark),
  );

describe("timeline", () => {
  it("[WAT-3] places a run at its hours, also across midnight", () => {
    const { rows } = timelineOf(preview({ planned: [plan(1, 6, 12)] }), FROM);
    expect(rows[0]?.bars).toMatchObject([{ left: 0.25, width: 0.25, overlaps: 0, hatched: [] }]);
  });

  it("[WAT-3] draws an active run from the edge, and up to now without an end", () => {
    const running = { kind: "running", basis: "report" } as const;
    const { rows } = timelineOf(
      preview({ planned: [plan(1, -2, 12, running), plan(2, -1, null, running)] }),
      FROM + 6 * HOUR,
    );
    expect(rows.map(({ bars }) => bars[0])).toMatchObject([
      { left: 0, width: 0.5 },
      { left: 0, width: 0.25, end: null },
    ]);
  });

  it("[WAT-3] keeps a run of a minute visible, and every run within the frame", () => {
    const short = 1 / 60;
    const { rows } = timelineOf(preview({ planned: [plan(1, 3, 3 + short), plan(2, 23.99, 25)] }), FROM);
    for (const { bars } of rows) {
      const [bar] = bars;
      expect(bar?.width).toBeGreaterThanOrEqual(0.006);
      expect((bar?.left ?? 1) + (bar?.width ?? 1)).toBeLessThanOrEqual(1);
    }
  });

  it("[WAT-3] hatches each overlap of runs once", () => {
    const planned = [
      plan(1, 4, 8, { overlaps: ["2/5", "3/5", "4/7"] }),
      plan(2, 5, 6, { overlaps: ["1/4"] }),
      plan(3, 5, 5.5, { overlaps: ["1/4"] }),
      plan(4, 7, 12, { overlaps: ["1/4"] }),
    ];
    const { rows } = timelineOf(preview({ planned }), FROM);
    const hatched = rows.map(({ bars }) => bars[0]?.hatched);
    expect(rows[0]?.bars[0]?.overlaps).toBe(3);
    expect(hatched).toEqual([
      [
        { left: 0.25, width: 0.25 },
        { left: 0.75, width: 0.25 },
      ],
      [{ left: 0, width: 1 }],
      [{ left: 0, width: 1 }],
      [{ left: 0, width: 0.2 }],
    ]);
  });

  it("[WAT-3] orders channels by their watering; a mode without times is last", () => {
    const untimed = { ...place(1), mode: "automatic", reason: "by-moisture", lack: null } as const;
    const { rows } = timelineOf(
      preview({ planned: [plan(3, 1, 2), plan(2, 4, 5), plan(3, 6, 7)], untimed: [untimed] }),
      FROM,
    );
    expect(rows.map(({ number, bars, untimed: mode }) => [number, bars.length, mode?.mode ?? null])).toEqual([
      [3, 2, null],
      [2, 1, null],
      [1, 0, "automatic"],
    ]);
  });

  it("[WAT-3] uses the zone's hours, also with a half-hour offset", () => {
    const seoul = hourMarks(FROM, FROM + 24 * HOUR, "Asia/Seoul", 6);
    expect(hoursIn("Asia/Seoul", seoul)).toEqual(["06:00", "12:00", "18:00", "00:00"]);
    const kolkata = hourMarks(FROM, FROM + 24 * HOUR, "Asia/Kolkata", 6);
    expect(hoursIn("Asia/Kolkata", kolkata)).toEqual(["06:00", "12:00", "18:00", "00:00"]);
  });

  it("[WAT-3] places the hours of a day of 23 or 25 hours by the clock", () => {
    const zone = "America/New_York";
    // The night of 8 March 2026 has no hour from two to three, that of 1 November has one twice.
    const spring = Date.parse("2026-03-08T00:00:00-05:00");
    expect(hoursIn(zone, hourMarks(spring, spring + 24 * HOUR, zone, 6))).toEqual([
      "00:00",
      "06:00",
      "12:00",
      "18:00",
      "00:00",
    ]);
    expect(hourMarks(spring, spring + 24 * HOUR, zone, 6)[1]).toBe(spring + 5 * HOUR);
    const autumn = Date.parse("2026-11-01T00:00:00-04:00");
    expect(hourMarks(autumn, autumn + 24 * HOUR, zone, 6)[1]).toBe(autumn + 7 * HOUR);
  });

  it("[WAT-3] hides the line of the current time outside the frame", () => {
    expect(placeOf({ from: 0, to: 100 }, 25)).toBe(0.25);
    expect(placeOf({ from: 0, to: 100 }, 101)).toBeNull();
    expect(placeOf({ from: 0, to: 100 }, -1)).toBeNull();
  });

  it("[WAT-3] computes the space after a bar up to the next one, or to the edge", () => {
    const [first, second] = roomBehind([
      { left: 0.25, width: 0.25 },
      { left: 0.625, width: 0.125 },
    ]);
    expect([first, second]).toEqual([0.125, 0.25]);
    expect(roomBehind([{ left: 0.9, width: 0.2 }])).toEqual([0]);
  });
});

describe("label of a bar", () => {
  const side = (left: number, width: number, overlaps = 0) => labelSide({ left, width, overlaps }, 0.2);

  it("[WAT-3] is after the bar, or before it at the end of the frame", () => {
    expect(side(0, 0.1)).toBe("behind");
    expect(side(0.8, 0.05)).toBe("behind");
    expect(side(0.9, 0.05)).toBe("before");
    expect(side(0.95, 0.2)).toBe("before");
    // How many run at the same time takes room too.
    expect(side(0.8, 0.05, 1)).toBe("before");
  });

  it("[WAT-3] is inside a bar that fills the frame", () => {
    expect(side(0, 1)).toBe("within");
    expect(side(0.05, 0.95)).toBe("within");
  });
});
