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
});
