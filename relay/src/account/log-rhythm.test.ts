import { expect, test } from "vitest";
import { isRegular } from "./polling/channel-polls.ts";

const MINUTE = 60_000;
const at = (...minutes: number[]): number[] => minutes.map((minute) => minute * MINUTE);

test.each([
  ["nothing", [], false],
  ["one row", at(5), false],
  ["one gap", at(0, 10), false],
  ["two gaps of like length", at(0, 10, 20), true],
  ["rows every ten minutes, one of them missing", at(0, 10, 20, 40, 50, 60), true],
  ["rows every ten minutes in any order, each twice", at(20, 0, 10, 10, 0, 20), true],
  ["movements of a day", at(0, 10, 420, 433, 900, 915, 1_300), false],
  ["an opening and its close", at(0, 30), false],
])("[ONL-1] a log with %s is regular: %j", (_name, times, regular) => {
  expect(isRegular(times)).toBe(regular);
});
