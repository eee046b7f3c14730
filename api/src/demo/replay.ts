import { readFileSync } from "node:fs";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { DemoDevice } from "./farm.ts";
import { RECIPES, type Recipe } from "./recipes.ts";
import { closedLoop, samplerAt } from "./series.ts";
import { parseSlice, ROW_MS, type Slice } from "./slice.ts";
import { signalStrength, syntheticFields } from "./synthetic.ts";
import { flowAt, parseWaterEvents, type WaterEvent } from "./water-events.ts";

/** Values of a demo device at one instant. */
export interface DemoReading {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Wire units of the catalogue; null where the real sensor sent `NaN`. */
  readonly fields: Readonly<Record<string, number | null>>;
  readonly fwversion: string;
  /** dBm */
  readonly rssi: number;
}

/** The recordings replayed by the demo farm. */
interface DemoRecordings {
  readonly slice: Slice;
  readonly waterEvents: readonly WaterEvent[];
}

/** Readings of the demo devices at any instant, the same after every restart. */
export interface Replay {
  /** Return the reading of a device at an instant (ms since 1970 UTC), or null where it is silent. */
  readingAt(device: DemoDevice, instant: number): DemoReading | null;
  /**
   * Yield the readings of a device from `from` (included) to `to` (excluded), one every `step` ms on the
   * hour's grid. Instants at which it is silent are left out.
   */
  historyRows(device: DemoDevice, from: number, to: number, step?: number): Generator<DemoReading>;
}

/** Most decimals of the recordings in wire units; two for an unnamed field. */
const WIRE_DECIMALS: Readonly<Record<string, number>> = {
  ec: 4,
  n: 0,
  p: 0,
  k: 0,
  battery: 0,
  illuminance: 0,
  lux: 0,
  pumpopencount: 0,
};

function rounded(name: string, value: number): number | null {
  if (Number.isNaN(value)) return null;
  const scale = 10 ** (WIRE_DECIMALS[name] ?? 2);
  return Math.round(value * scale) / scale;
}

/** Read the two recordings of the project. */
export function loadRecordings(): DemoRecordings {
  const read = (name: string) =>
    readFileSync(new URL(`../../demo-data/${name}`, import.meta.url), { encoding: "utf8" });
  return {
    slice: parseSlice(read("greenhouse.csv")),
    waterEvents: parseWaterEvents(read("watering-events.csv")),
  };
}

/** Replay the recordings on today's clock, in a loop without a cliff. */
export function createReplay(recordings: DemoRecordings): Replay {
  const slice = closedLoop(recordings.slice);
  function replayed(recipe: Recipe, shiftDays: number, instant: number): Record<string, number> | null {
    const sample = samplerAt(slice, instant, shiftDays);
    if (sample(recipe.anchor) === undefined) return null;
    const found: Record<string, number> = {};
    for (const [name, source] of Object.entries(recipe.fields)) {
      const value = source(sample);
      if (value !== undefined) found[name] = value;
    }
    return found;
  }

  function measured(device: DemoDevice, instant: number): Record<string, number> | null {
    switch (device.source.kind) {
      case "replay":
        return replayed(RECIPES[device.source.recipe], device.source.shiftDays, instant);
      case "flow":
        return { ...flowAt(recordings.waterEvents, instant) };
      case "synthetic":
        return {};
      case "valves":
        return null;
    }
  }

  function readingAt(device: DemoDevice, instant: number): DemoReading | null {
    const real = measured(device, instant);
    if (real === null) return null;
    const all: Record<string, number> = {
      ...syntheticFields(device.deviceType, device.serial, instant),
      ...real,
    };
    const fields: Record<string, number | null> = {};
    for (const { name } of deviceTypeOf(device.deviceType).fields) {
      const value = all[name];
      if (value !== undefined) fields[name] = rounded(name, value);
    }
    return { at: instant, fields, fwversion: device.fwversion, rssi: signalStrength(device.serial, instant) };
  }

  return {
    readingAt,
    *historyRows(device, from, to, step = ROW_MS) {
      for (let at = Math.ceil(from / step) * step; at < to; at += step) {
        const reading = readingAt(device, at);
        if (reading !== null) yield reading;
      }
    },
  };
}

/** Format a reading as a device sends it on `mulkko/{serial}/up`. */
export function uplinkOf(reading: DemoReading): Record<string, unknown> {
  return {
    at: new Date(reading.at).toISOString(),
    fwversion: reading.fwversion,
    rssi: reading.rssi,
    ...reading.fields,
  };
}
