import { describe, expect, it } from "vitest";
import {
  channelBodyOf,
  channelValuesOf,
  HARD_CAP_MINUTES,
  NO_METER,
  readFlow,
  readMinutes,
} from "./setting-values.ts";

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

describe("the settings of a valve", () => {
  const stored = { name: "Bed", minutes: "20", meter: "meter", flow: "12.5" };

  it("[CMD-19] are sent as far as they were changed: another page may have changed the others", () => {
    expect(channelBodyOf({ ...stored, name: " Roses " }, stored, 120)).toEqual({ name: "Roses" });
    expect(channelBodyOf({ ...stored, minutes: "", flow: "13" }, stored, 120)).toEqual({
      defaultRunSeconds: null,
      largestFlow: 13,
    });
    expect(channelBodyOf({ ...stored, name: "Bed " }, stored, 120)).toBeNull();
  });

  it("[WAT-5] have no largest flow without a meter", () => {
    expect(channelBodyOf({ ...stored, meter: NO_METER }, stored, 120)).toEqual({
      flowSensorId: null,
      largestFlow: null,
    });
  });

  it("[RUN-1] reset a run time that is above the limit by now", () => {
    expect(channelBodyOf({ ...stored, minutes: "" }, stored, 10)).toEqual({ defaultRunSeconds: null });
  });

  it("[RUN-1] are empty where nothing is stored", () => {
    expect(channelValuesOf(null, "channel")).toEqual({ name: "", minutes: "", meter: NO_METER, flow: "" });
  });
});
