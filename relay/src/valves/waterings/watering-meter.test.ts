import { describe, expect, it } from "vitest";
import { litresOf, meterReading } from "./watering-registry.ts";

const start = { sensorId: "w1", litres: 1_000 };
const run = { from: 10_000, to: 70_000 };

describe("litres of a watering", () => {
  it("[WAT-1] are the count of the linked meter, once it has reported after the end", () => {
    expect(litresOf(start, { litres: 1_030, at: 60_000 }, run, false)).toBe("wait");
    expect(litresOf(start, { litres: 1_041.2, at: 70_000 }, run, false)).toBe(41.2);
    expect(litresOf(start, null, run, false)).toBe("wait");
  });

  it("[WAT-1] are the count so far if the meter reports no more", () => {
    expect(litresOf(start, { litres: 1_030, at: 60_000 }, run, true)).toBe(30);
  });

  it("[WAT-1] are unknown if the meter was silent throughout, or was reset", () => {
    expect(litresOf(start, { litres: 1_000, at: 9_000 }, run, true)).toBeNull();
    expect(litresOf(start, null, run, true)).toBeNull();
    expect(litresOf(start, { litres: 12, at: 80_000 }, run, false)).toBeNull();
  });

  it("[WAT-1] come from a sensor that has only a total", () => {
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
