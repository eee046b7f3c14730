import { stressLevel } from "@mulkko/shared/rules/stress";
import { expect, test } from "vitest";
import { heatStress } from "./recipes.ts";

test("[demo] computes the temperature-humidity index of NRC 1971", () => {
  expect(heatStress(30, 70)).toBeCloseTo(81.38);
  expect(heatStress(20, 50)).toBeCloseTo(65.25);
  expect(stressLevel(heatStress(33, 80))).toBe("severe");
});
