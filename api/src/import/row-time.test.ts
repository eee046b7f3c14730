import { expect, test } from "vitest";
import { createRowTimes, createWallClock, timeReaderOf } from "./row-time.ts";

const NOW = Date.UTC(2026, 10, 21);

function timesIn(zone: string, order: "ascending" | "descending" = "ascending") {
  const reader = timeReaderOf("YYYY-MM-DD HH:mm");
  const clock = createWallClock(zone);
  if (!reader || !clock) throw new Error("no such format or zone");
  const times = createRowTimes([reader], clock, order);
  return (text: string, series = ""): string => {
    const time = times.read(text, series, NOW);
    return time.ok ? new Date(time.at).toISOString().slice(5, 16) : time.reason;
  };
}

test("[import] 24:00, as loggers write midnight, is the next day's 00:00", () => {
  const read = timesIn("Asia/Seoul");
  const walls = ["2026-11-01 23:30", "2026-11-01 24:00", "2026-11-02 00:30", "2026-11-01 24:30"];
  expect(walls.map((wall) => read(wall))).toEqual(["11-01T14:30", "11-01T15:00", "11-01T15:30", "bad-time"]);
});

test("[import] at the end of summer time the first pass is summer time, the second standard time", () => {
  const read = timesIn("Europe/Amsterdam");
  const walls = ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"];
  expect(walls.map((wall) => read(`2019-10-27 ${wall}`))).toEqual([
    "10-26T23:30",
    "10-27T00:00",
    "10-27T00:30",
    "10-27T01:00",
    "10-27T01:30",
    "10-27T02:00",
  ]);
});

test("[import] newest first, the first pass is standard time", () => {
  const read = timesIn("Europe/Amsterdam", "descending");
  const walls = ["03:00", "02:30", "02:00", "02:30", "02:00", "01:30"];
  expect(walls.map((wall) => read(`2019-10-27 ${wall}`))).toEqual([
    "10-27T02:00",
    "10-27T01:30",
    "10-27T01:00",
    "10-27T00:30",
    "10-27T00:00",
    "10-26T23:30",
  ]);
});

test("[import] tracks the passes of each sensor of a file separately", () => {
  const read = timesIn("America/New_York");
  const walls = [
    ["01:00", "a"],
    ["01:00", "b"],
    ["01:00", "a"],
    ["01:00", "b"],
  ] as const;
  expect(walls.map(([wall, series]) => read(`2025-11-02 ${wall}`, series))).toEqual([
    "11-02T05:00",
    "11-02T05:00",
    "11-02T06:00",
    "11-02T06:00",
  ]);
});

test("[import] rejects a time skipped by summer time, and accepts its neighbours", () => {
  const read = timesIn("Europe/Amsterdam");
  expect(["01:59", "02:00", "02:59", "03:00"].map((wall) => read(`2020-03-29 ${wall}`))).toEqual([
    "03-29T00:59",
    "no-such-time",
    "no-such-time",
    "03-29T01:00",
  ]);
  // A shift of half an hour, on the other side of the world.
  const howe = timesIn("Australia/Lord_Howe");
  expect(["01:45", "02:15", "02:30"].map((wall) => howe(`2026-10-04 ${wall}`))).toEqual([
    "10-03T15:15",
    "no-such-time",
    "10-03T15:30",
  ]);
});

test("[import] accepts offsets and zones without summer time, and reports an unknown zone", () => {
  expect(timesIn("+09:00")("2026-11-01 09:00")).toBe("11-01T00:00");
  expect(timesIn("-03:30")("2026-11-01 00:00")).toBe("11-01T03:30");
  expect(timesIn("Asia/Seoul")("2026-11-01 09:00")).toBe("11-01T00:00");
  expect(["Nowhere", "+25:00", ""].map(createWallClock)).toEqual([null, null, null]);
});

test("[import] refuses times in the future or before the earliest allowed time, as from a device", () => {
  const read = timesIn("UTC");
  expect([read("2026-11-21 00:06"), read("1999-12-31 23:59"), read("soon")]).toEqual([
    "from-future",
    "bad-time",
    "bad-time",
  ]);
});
