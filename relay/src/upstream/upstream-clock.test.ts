import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { expect, test } from "vitest";
import { createUpstreamClock } from "./upstream-clock.ts";

const createClock = () => createUpstreamClock(createApiTimeZone("Asia/Seoul"));

const after = (...skews: number[]): number => {
  const upstreamClock = createClock();
  for (const skew of skews) upstreamClock.noteDate(skew);
  return upstreamClock.offsetMs;
};

test("[CMD-1] an offset under two seconds counts as zero, because headers have whole seconds", () => {
  expect(after()).toBe(0);
  expect(after(-900, -1_400, -300)).toBe(0);
  expect(after(1_900)).toBe(0);
});

test("[CMD-1] the largest of the last answers counts, in both directions", () => {
  expect(after(59_200, 59_900, 58_000)).toBe(59_900);
  expect(after(-61_000, -60_100, -60_800)).toBe(-60_100);
});

test("[CMD-1] a changed clock is followed within eight answers", () => {
  expect(after(60_000, ...Array.from({ length: 7 }, () => -500))).toBe(60_000);
  expect(after(60_000, ...Array.from({ length: 8 }, () => -500))).toBe(0);
});

const HOUR = 3_600_000;
const MINUTE = 60_000;

test("[ONL-3] attributes three new logs from the future to the clock, but not two", () => {
  const upstreamClock = createClock();
  upstreamClock.noteLog("1", -9 * HOUR, false);
  upstreamClock.noteLog("2", -9 * HOUR + MINUTE, false);
  expect(upstreamClock.suspectedOffset()).toBeNull();
  upstreamClock.noteLog("3", -9 * HOUR, false);
  expect(upstreamClock.suspectedOffset()).toBe(9 * HOUR);
});

test("[ONL-3] measures the offset on reporting devices, ignoring silent ones and a wrong device clock", () => {
  const upstreamClock = createClock();
  upstreamClock.noteLog("silent", -8 * HOUR, false);
  upstreamClock.noteLog("years ahead", -9_000 * HOUR, true);
  for (const device of ["1", "2", "3"]) upstreamClock.noteLog(device, -9 * HOUR + 4_000, true);
  expect(upstreamClock.suspectedOffset()).toBe(9 * HOUR - 4_000);
});

test("[ONL-3] attributes new logs that all lag by the same half-hours to the time zone", () => {
  const upstreamClock = createClock();
  for (const device of ["1", "2", "3"]) upstreamClock.noteLog(device, 9.5 * HOUR + MINUTE, true);
  expect(upstreamClock.suspectedOffset()).toBe(-9.5 * HOUR);
});

test("[ONL-3] treats devices that fell silent together as silent, not as lagging", () => {
  const upstreamClock = createClock();
  for (const device of ["1", "2", "3"]) upstreamClock.noteLog(device, 9 * HOUR, false);
  expect(upstreamClock.suspectedOffset()).toBeNull();
});

test("[ONL-3] one log with the right time clears the suspicion", () => {
  const upstreamClock = createClock();
  for (const device of ["1", "2", "3"]) upstreamClock.noteLog(device, 9 * HOUR, true);
  upstreamClock.noteLog("4", MINUTE, true);
  expect(upstreamClock.suspectedOffset()).toBeNull();
  upstreamClock.forget("4");
  expect(upstreamClock.suspectedOffset()).toBe(-9 * HOUR);
});

test("[ONL-3] trusts a Date that is off by more than five minutes at once, until it is right again", () => {
  const upstreamClock = createClock();
  upstreamClock.noteDate(4 * MINUTE);
  expect(upstreamClock.suspectedOffset()).toBeNull();
  upstreamClock.noteDate(-70 * MINUTE);
  expect(upstreamClock.suspectedOffset()).toBe(-70 * MINUTE);
  upstreamClock.noteDate(-400);
  expect(upstreamClock.suspectedOffset()).toBeNull();
});

test("[ONL-3] prefers the times of the logs to the Date, because those times are displayed", () => {
  const upstreamClock = createClock();
  upstreamClock.noteDate(10 * MINUTE);
  for (const device of ["1", "2", "3"]) upstreamClock.noteLog(device, -9 * HOUR, false);
  expect(upstreamClock.suspectedOffset()).toBe(9 * HOUR);
});
