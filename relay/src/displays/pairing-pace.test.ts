import { expect, test } from "vitest";
import { createPollPace } from "./pairing-answers.ts";

test("[displays] a screen may poll every five seconds, and every ten after an early poll", () => {
  const pace = createPollPace();
  expect(pace.tooSoon("a", 0)).toBe(false);
  expect(pace.tooSoon("b", 100)).toBe(false);
  expect(pace.tooSoon("a", 4_900)).toBe(false);
  expect(pace.tooSoon("a", 8_000)).toBe(true);
  expect(pace.tooSoon("a", 12_000)).toBe(true);
  expect(pace.tooSoon("a", 15_000)).toBe(false);
  expect(pace.tooSoon("a", 20_000)).toBe(false);
  pace.forget("a");
  expect(pace.tooSoon("a", 20_001)).toBe(false);
});

test("[displays] a screen that ignores the interval is still answered", () => {
  const pace = createPollPace();
  const asked = Array.from({ length: 12 }, (_, n) => n * 2_000).filter((at) => !pace.tooSoon("a", at));
  expect(asked).toEqual([0, 10_000, 20_000]);
});
