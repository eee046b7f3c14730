import { expect, test } from "vitest";
import { allowedSilenceOf, receivingSince } from "./watch.ts";

const MINUTE = 60_000;
const every = (minutes: number, count = 9): number[] =>
  Array.from({ length: count }, (_, index) => (1_000 - index * minutes) * MINUTE);

test.each([
  ["nothing is known", [], 60],
  ["one gap is no habit", every(50, 2), 60],
  ["it speaks each minute", every(1), 60],
  ["it speaks each half hour", every(30), 75],
  ["it speaks once a day", every(24 * 60), 26 * 60],
  ["one gap was long", [...every(1, 7), 100 * MINUTE, 99 * MINUTE], 60],
])("[alerts] how long a device may be silent where %s", (_, times, minutes) => {
  expect(allowedSilenceOf(times)).toBe(minutes * MINUTE);
});

test("[alerts] counts silence from when the API could receive messages", () => {
  const start = 1_000 * MINUTE;
  const next = start + MINUTE;
  expect(receivingSince(start, start, next, true)).toBe(start);
  expect(receivingSince(start, start, next, false)).toBe(next);
  expect(receivingSince(start, start, start + 90 * MINUTE, true)).toBe(start + 90 * MINUTE);
  expect(receivingSince(start, start, start - 90 * MINUTE, true)).toBe(start - 90 * MINUTE);
});
