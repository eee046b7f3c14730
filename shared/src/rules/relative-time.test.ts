import { expect, it } from "vitest";
import { relativeTime } from "./relative-time.ts";

const MINUTE = 60_000;

it("[spec 2] says just now under a minute, then minutes, hours, days under 365, years", () => {
  expect(relativeTime(59_999)).toEqual({ unit: "now" });
  expect(relativeTime(MINUTE)).toEqual({ unit: "minutes", count: 1 });
  expect(relativeTime(59.9 * MINUTE)).toEqual({ unit: "minutes", count: 59 });
  expect(relativeTime(60 * MINUTE)).toEqual({ unit: "hours", count: 1 });
  expect(relativeTime(24 * 60 * MINUTE)).toEqual({ unit: "days", count: 1 });
  expect(relativeTime(364 * 24 * 60 * MINUTE)).toEqual({ unit: "days", count: 364 });
  expect(relativeTime(365 * 24 * 60 * MINUTE)).toEqual({ unit: "years", count: 1 });
});

it("[ONL-3] shows a negative age, from a clock that is ahead, as just now", () => {
  expect(relativeTime(-5_000)).toEqual({ unit: "now" });
});
