import { describe, expect, it } from "vitest";
import { HARD_CAP_MINUTES, readFlow, readMinutes } from "./farm/ValveSettings.tsx";

describe("typed minutes", () => {
  it("[RUN-1] are whole, at least one, and at most the limit; empty resets the setting", () => {
    expect(HARD_CAP_MINUTES).toBe(1_440);
    expect(readMinutes(" 15 ", 120)).toEqual({ minutes: 15, fault: null });
    expect(readMinutes("", 120)).toEqual({ minutes: null, fault: null });
    for (const text of ["0", "1.5", "-3", "ten", "1e2"]) {
      expect(readMinutes(text, 120)).toEqual({ minutes: null, fault: "not-whole" });
    }
    expect(readMinutes("31", 30)).toEqual({ minutes: null, fault: "too-many" });
  });
});

describe("a typed flow", () => {
  it("[WAT-5] is above 0 and at most 10,000 L/min; empty resets the setting", () => {
    expect([" 12,5 ", "10000", ""].map(readFlow)).toEqual([12.5, 10_000, null]);
    for (const text of ["0", "-3", "10001", "ten"]) expect(readFlow(text)).toBeUndefined();
  });
});
