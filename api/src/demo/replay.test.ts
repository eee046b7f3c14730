import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { describe, expect, test } from "vitest";
import { DEMO_DEVICES, type DemoDevice } from "./farm.ts";
import { DAY_MS } from "./local-clock.ts";
import { RECIPES } from "./recipes.ts";
import { createReplay, loadRecordings, uplinkOf } from "./replay.ts";

const replay = createReplay(loadRecordings());
const MINUTE_MS = 60_000;

function deviceOf(serial: number): DemoDevice {
  const device = DEMO_DEVICES.find((one) => one.serial === serial);
  if (device === undefined) throw new Error(`no demo device ${serial}`);
  return device;
}

/** Return an instant, loops later, at which an unshifted device replays a wall clock of the recording. */
function replayed(wallClock: string, device: DemoDevice): number {
  const shiftDays = device.source.kind === "replay" ? device.source.shiftDays : 0;
  return Date.parse(`${wallClock.replace(" ", "T")}:00+09:00`) + (150 * 15 - shiftDays) * DAY_MS;
}

const soil = deviceOf(24110101);
const air = deviceOf(24110109);
const heat = deviceOf(24110111);
const weather = deviceOf(24110201);
const poreWater = deviceOf(24110108);
const measuring = DEMO_DEVICES.filter((device) => device.source.kind !== "valves");

describe("readingAt", () => {
  test("[demo] returns the recorded row at its own time of day in Korea, in wire units", () => {
    // 2020-09-07 12:00: kas 4 R 37 °C; the row of the file, converted.
    const { slice } = loadRecordings();
    const row = (Date.parse("2020-09-07T12:00:00Z") - slice.start) / 300_000;
    const cell = (name: Parameters<typeof slice.columns.get>[0]) =>
      slice.columns.get(name)?.[row] ?? Number.NaN;
    const reading = replay.readingAt(air, replayed("2020-09-07 12:00", air));
    expect(reading?.fields).toEqual({
      co2: cell("co2_ppm"),
      humidity: cell("kas4r_humidity_pct"),
      pressure: cell("sendot_pressure_mb"),
      solar: expect.closeTo(cell("par_umol_m2_s") / 2.02, 1),
      temperature: cell("kas4r_temperature_c"),
      td: cell("pmc_dewpoint_diff_c"),
      vpd: expect.closeTo(cell("pmc_vpd_kpa") * 1_000, 6),
    });
    const wet = replay.readingAt(soil, replayed("2020-09-07 12:00", soil));
    expect(wet?.fields.moisture).toBe(cell("soil_vwc_pct"));
  });

  test("[demo] keeps the recorded 27-hour gap: silent inside, readings at both ends", () => {
    expect(replay.readingAt(heat, replayed("2020-09-02 09:05", heat))).not.toBeNull();
    expect(replay.readingAt(heat, replayed("2020-09-02 09:06", heat))).toBeNull();
    expect(replay.readingAt(heat, replayed("2020-09-03 12:20", heat))).toBeNull();
    expect(replay.readingAt(heat, replayed("2020-09-03 12:25", heat))).not.toBeNull();
  });

  test("[demo] leaves out one missing field where the device itself still sends", () => {
    const inGap = replay.readingAt(air, replayed("2020-09-03 00:00", air));
    expect(inGap?.fields).not.toHaveProperty("vpd");
    expect(inGap?.fields).toHaveProperty("temperature");
  });

  test("[demo] sends false zeros as the sensor did", () => {
    const reading = replay.readingAt(weather, replayed("2020-09-15 12:30", weather));
    expect(reading?.fields).toMatchObject({ pressure: 0, humidity: 0, temperature: 0 });
  });

  test("[demo] sends NaN as JSON null", () => {
    const reading = replay.readingAt(poreWater, replayed("2020-09-04 12:00", poreWater));
    expect(reading?.fields.ec).toBeNull();
    expect(JSON.stringify(uplinkOf(reading ?? expect.fail("silent")))).toContain('"ec":null');
  });

  test("[demo] sends CO₂ stuck at about 5 ppm as the sensor did", () => {
    expect(replay.readingAt(air, replayed("2020-09-11 10:00", air))?.fields.co2).toBeLessThan(6);
  });

  test("[demo] returns every field of a device's type, within its physical range on an ordinary day", () => {
    const missing: string[] = [];
    for (const device of measuring) {
      const reading = replay.readingAt(device, replayed("2020-09-08 10:02", device));
      for (const field of deviceTypeOf(device.deviceType).fields) {
        const value = reading?.fields[field.name];
        const [min, max] = field.range;
        if (typeof value !== "number" || value < min || value > max)
          missing.push(`${device.name} ${field.name} ${value}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test("[demo] changes synthetic values smoothly: no field jumps within ten seconds", () => {
    const start = Date.parse("2026-11-21T00:00:00Z");
    for (const device of measuring.filter((one) => one.source.kind === "synthetic")) {
      for (let instant = start; instant < start + DAY_MS; instant += 10 * MINUTE_MS) {
        const now = replay.readingAt(device, instant)?.fields ?? {};
        const soon = replay.readingAt(device, instant + 10_000)?.fields ?? {};
        for (const [name, value] of Object.entries(now)) {
          const midnight = name === "waterlevel" && (value ?? 0) > 20;
          if (!midnight) expect(Math.abs((soon[name] ?? 0) - (value ?? 0))).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  test("[demo] no series breaks where the recording begins again: the week before any start has no cliff", () => {
    const HOUR_MS = 60 * MINUTE_MS;
    // Wind turns and rain falls at once.
    const isSteady = (name: string) => !["windD", "windS", "rain"].includes(name);
    for (const device of measuring) {
      if (device.source.kind !== "replay") continue;
      const seam = replayed("2020-08-31 12:50", device);
      const valuesAt = (instant: number) => replay.readingAt(device, instant)?.fields ?? {};
      /** Changes of a field within five minutes, hours from the seam in the loop. */
      const change = (name: string, hours: number): number => {
        const at = seam + hours * HOUR_MS;
        const [before, after] = [valuesAt(at - 5 * MINUTE_MS)[name], valuesAt(at)[name]];
        // The recorded false zeros are kept.
        return before && after ? Math.abs(after - before) : 0;
      };
      for (const name of Object.keys(RECIPES[device.source.recipe].fields).filter(isSteady)) {
        // The same time of day on the days before, which are recorded.
        const usual = Array.from({ length: 10 * 24 }, (_, hour) => change(name, -72 - hour));
        const most = Math.max(...usual);
        expect([device.serial, name, change(name, 0) <= most]).toEqual([device.serial, name, true]);
      }
    }
  });
});

describe("historyRows", () => {
  const to = Date.parse("2026-11-21T05:03:20Z");
  const from = to - 7 * DAY_MS;

  test("[demo] returns the 5-minute rows of seven days, on the grid and before the end", () => {
    const rows = [...replay.historyRows(soil, from, to)];
    expect(rows).toHaveLength(7 * 288);
    expect(rows.every((row) => row.at % 300_000 === 0 && row.at >= from && row.at < to)).toBe(true);
  });

  test("[demo] shows a recorded gap of hours in some device of the farmer, whatever day the demo starts", () => {
    const gappy = measuring.filter(
      ({ source, owner }) =>
        owner === "farmer" &&
        source.kind === "replay" &&
        RECIPES[source.recipe].anchor === "pmc_temperature_c",
    );
    const longestGap = (device: DemoDevice, end: number): number => {
      const start = end - 7 * DAY_MS;
      const times = [start, ...[...replay.historyRows(device, start, end)].map((row) => row.at), end];
      return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
    };
    for (let hours = 0; hours < 15 * 24; hours += 6) {
      const end = to + hours * 60 * MINUTE_MS;
      const longest = Math.max(...gappy.map((device) => longestGap(device, end)));
      expect(longest).toBeGreaterThan(60 * MINUTE_MS);
    }
  });

  test("[demo] has readings of nearly every device at any time", () => {
    for (let instant = from; instant < from + 15 * DAY_MS; instant += 37 * MINUTE_MS) {
      const silent = measuring.filter((device) => replay.readingAt(device, instant) === null);
      expect(silent.length).toBeLessThanOrEqual(3);
    }
  });
});
