import { expect, it } from "vitest";
import { activeMode, isRepeatOn, valveCode } from "./valve.ts";

it("[spec 4] reads 1 as on, 2 as off and everything else as unknown", () => {
  expect([1, 2, "1", "2"].map(valveCode)).toEqual([1, 2, 1, 2]);
  expect([0, 3, null, undefined, true, "on", ""].map(valveCode)).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

it("[spec 4] reads repeat 1 and true as on, 2 and 0 as off", () => {
  expect([1, true, "1"].map(isRepeatOn)).toEqual([true, true, true]);
  expect([2, 0, false, null, "2"].map(isRepeatOn)).toEqual([false, false, false, false, false]);
});

it("[spec 4] lets automatic win over period, and period over reservation", () => {
  expect(activeMode({ automatic: 1, period: 1, reservation: 1 })).toBe("automatic");
  expect(activeMode({ automatic: 0, period: 1, reservation: 1 })).toBe("period");
  expect(activeMode({ automatic: 0, period: 0, reservation: 1 })).toBe("reservation");
  expect(activeMode({ automatic: 0, period: 0, reservation: 2 })).toBe("none");
});
