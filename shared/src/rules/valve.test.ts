import { expect, it } from "vitest";
import { isRepeatOn, modesSwitchedOn, valveCode } from "./valve.ts";

it("[spec 4] reads 1 as on, 2 as off and everything else as unknown", () => {
  expect([1, 2, "1", "2"].map(valveCode)).toEqual([1, 2, 1, 2]);
  expect([0, 3, null, undefined, true, "on", "", "0x1", "0b10"].map(valveCode)).toEqual(Array(9).fill(0));
});

it("[spec 4] reads repeat 1 and true as on, 2 and 0 as off", () => {
  expect([1, true, "1"].map(isRepeatOn)).toEqual([true, true, true]);
  expect([2, 0, false, null, "2"].map(isRepeatOn)).toEqual([false, false, false, false, false]);
});

it("[spec 4] prefers automatic to period, and period to reservation, and names all that are on", () => {
  expect(modesSwitchedOn({ automatic: 1, period: 1, reservation: 1 })).toEqual([
    "automatic",
    "period",
    "reservation",
  ]);
  expect(modesSwitchedOn({ automatic: 0, period: 1, reservation: 1 })).toEqual(["period", "reservation"]);
  expect(modesSwitchedOn({ automatic: 0, period: 0, reservation: 1 })).toEqual(["reservation"]);
  expect(modesSwitchedOn({ automatic: 0, period: 0, reservation: 2 })).toEqual([]);
});
