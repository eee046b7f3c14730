import { expect, test } from "vitest";
import { timeReaderOf } from "./row-time.ts";

const read = (format: string, text: string): string | null => {
  const time = timeReaderOf(format)?.read(text);
  if (!time) return null;
  return `${time.kind} ${new Date(time.kind === "instant" ? time.at : time.wall).toISOString().slice(0, 19)}`;
};

test.each([
  ["YYYY-MM-DD HH:mm", "2017-01-01 00:15", "wall 2017-01-01T00:15:00"],
  ["YYYY-MM-DD HH:mm:ss.SSS", "2020-01-01 00:00:07.000", "wall 2020-01-01T00:00:07"],
  ["D/M/YYYY H:mm", "3/11/2026 7:05", "wall 2026-11-03T07:05:00"],
  ["YY.MM.DD", "26.11.03", "wall 2026-11-03T00:00:00"],
  ["YYYY년 M월 D일 A h:mm", "2026년 11월 3일 오전 12:05", "wall 2026-11-03T00:05:00"],
  ["MM/DD/YYYY hh:mm A", "11/03/2026 12:05 PM", "wall 2026-11-03T12:05:00"],
  ["YYYY-MM-DDTHH:mm:ssZ", "2026-11-03T09:00:00+09:00", "instant 2026-11-03T00:00:00"],
  ["iso", "2026-11-03T09:00:00.5-0330", "instant 2026-11-03T12:30:00"],
  ["YYYY-MM-DD HH:mm", "2026-11-01 24:00", "wall 2026-11-02T00:00:00"],
  ["YYYY-MM-DD HH:mm:ss", "2026-12-31 24:00:00", "wall 2027-01-01T00:00:00"],
  ["unix-s", "1600000000", "instant 2020-09-13T12:26:40"],
  ["unix-ms", "1600000000000", "instant 2020-09-13T12:26:40"],
])("[import] %s reads %s", (format, text, time) => {
  expect(read(format, text)).toBe(time);
});

test.each([
  ["YYYY-MM-DD HH:mm", "2026-02-30 00:00"],
  ["YYYY-MM-DD HH:mm", "2026-13-01 00:00"],
  ["YYYY-MM-DD HH:mm", "2026-01-01 24:01"],
  ["YYYY-MM-DD HH:mm:ss", "2026-01-01 24:00:01"],
  ["YYYY-MM-DD HH:mm", "2026-01-01 00:00 "],
  ["A h:mm YYYY-MM-DD", "PM 13:00 2026-01-01"],
  ["iso", "2026-11-03T09:00:00"],
  ["unix-s", "-5"],
  ["unix-s", "9".repeat(400)],
])("[import] %s does not read %s", (format, text) => {
  expect(read(format, text)).toBeNull();
});

test("[import] a format requires a complete date, each part once, and AM or PM for twelve hours", () => {
  const formats = ["HH:mm", "YYYY-MM", "YYYY-MM-DD YY", "YYYY-MM-DD hh:mm", "YYYY-MM-DD HH A", ""];
  expect(formats.map(timeReaderOf)).toEqual(formats.map(() => null));
});
