import { expect, it } from "vitest";
import { isLowBattery, isWeakSignal } from "./device-health.ts";

it("[fleet] a battery is low below 20 %, a signal weak below -110 dBm, and what is not said is neither", () => {
  expect([19.9, 20, 0, null].map(isLowBattery)).toEqual([true, false, true, false]);
  expect([-110.5, -110, -60, null].map(isWeakSignal)).toEqual([true, false, false, false]);
});
