import fc from "fast-check";
import { expect, it } from "vitest";
import { batteryPercent, certainPercent, isLowBattery, isVolts, isWeakSignal } from "./device-health.ts";

it("[fleet] calls a battery low below 20 %, a signal weak below -110 dBm, and a missing value neither", () => {
  expect([19.9, 20, 0, null].map((battery) => isLowBattery(battery, "SMS"))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([-110.5, -110, -60, null].map((dbm) => isWeakSignal(dbm, "SMS"))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it("[BAT-1] reads a battery from 2.5 to 4.3 in volts, for which no limit is known", () => {
  expect([2.5, 3.6, 4.3, 3.04].map(isVolts)).toEqual([true, true, true, true]);
  // Per cent are whole numbers: 3 % is an almost empty battery, not one of 3 V.
  expect([3, 4, 2.4, 4.4, 0, 88].map(isVolts)).toEqual([false, false, false, false, false, false]);
  expect([2.6, 3.6, 3, 4].map((battery) => isLowBattery(battery, "SMS"))).toEqual([false, false, true, true]);
  expect([3.6, 3, null].map(batteryPercent)).toEqual([null, 3, null]);
});

it("[BAT-2] no percentage written by the API that knows its unit is read as volts", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (percent) => {
      const stored = certainPercent(percent);
      expect(batteryPercent(stored)).toBe(stored);
      expect(isLowBattery(stored, "SMS")).toBe(percent < 20);
    }),
  );
});
