import { describe, expect, it } from "vitest";
import { meterReading } from "./watering-registry.ts";

describe("the reading of a meter", () => {
  it("[WAT-5] comes from a sensor that has only a total", () => {
    const at = "2026-11-21T03:00:00.000Z";
    expect(meterReading({ reading: { flowmeter: 12.5, speed: 3 }, at })).toEqual({
      litres: 12.5,
      at: Date.parse(at),
    });
    for (const sensor of [undefined, {}, { reading: null, at }, { reading: { flowmeter: null }, at }]) {
      expect(meterReading(sensor)).toBeNull();
    }
  });

  it("[WAT-5] is as old as its total, not as a later message about something else", () => {
    const at = "2026-11-21T03:00:00.000Z";
    const totalAt = "2026-11-21T02:51:00.000Z";
    const sensor = { reading: { flowmeter: 12.5, battery: 91 }, fieldTimes: { flowmeter: totalAt }, at };
    expect(meterReading(sensor)).toEqual({ litres: 12.5, at: Date.parse(totalAt) });
    expect(meterReading({ ...sensor, fieldTimes: { battery: totalAt } })?.at).toBe(Date.parse(at));
    expect(meterReading({ ...sensor, fieldTimes: null })?.at).toBe(Date.parse(at));
  });
});
