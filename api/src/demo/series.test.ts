import { describe, expect, test } from "vitest";
import { DAY_MS } from "./local-clock.ts";
import { samplerAt } from "./series.ts";
import { parseSlice, ROW_MS } from "./slice.ts";

/** 00:00 of the slice's first day on the farm's wall clock (UTC+9). */
const MIDNIGHT = Date.parse("2020-09-01T00:00:00+09:00");

const slice = parseSlice(
  [
    "time,soil_vwc_pct,soil_ecw_us_cm,co2_ppm,weather_wind_direction_deg,weather_rain_mm",
    "2020-09-01 00:00,20,5000,400,350,0.4",
    "2020-09-01 00:05,21,NaN,5,,",
    "2020-09-01 00:10,,5200,410,10,0",
    "2020-09-01 00:15,24,5300,420,,",
  ].join("\n"),
);
const LOOP_MS = 4 * ROW_MS;
const at = (seconds: number, shiftDays = 0) => samplerAt(slice, MIDNIGHT + seconds * 1_000, shiftDays);

describe("samplerAt", () => {
  test("[demo] returns a row's own value at the row's own time", () => {
    expect(at(0)("soil_vwc_pct")).toBe(20);
    expect(at(300)("soil_vwc_pct")).toBe(21);
    expect(at(900)("soil_vwc_pct")).toBe(24);
  });

  test("[demo] interpolates between two rows", () => {
    expect(at(150)("soil_vwc_pct")).toBeCloseTo(20.5);
    expect(at(10)("soil_vwc_pct")).toBeCloseTo(20 + 10 / 300);
  });

  test("[demo] is silent from the row before an empty cell to the row after it", () => {
    expect(at(310)("soil_vwc_pct")).toBeUndefined();
    expect(at(600)("soil_vwc_pct")).toBeUndefined();
    expect(at(890)("soil_vwc_pct")).toBeUndefined();
  });

  test("[demo] holds NaN and a stuck value for five minutes and mixes neither with its neighbours", () => {
    expect(at(150)("soil_ecw_us_cm")).toBe(5_000);
    expect(at(300)("soil_ecw_us_cm")).toBeNaN();
    expect(at(450)("soil_ecw_us_cm")).toBeNaN();
    expect(at(600)("soil_ecw_us_cm")).toBe(5_200);
    expect(at(299)("co2_ppm")).toBe(400);
    expect(at(599)("co2_ppm")).toBe(5);
    expect(at(600)("co2_ppm")).toBe(410);
  });

  test("[demo] interpolates wind direction through north and holds hourly rain", () => {
    expect(at(300)("weather_wind_direction_deg")).toBeCloseTo(0);
    expect(at(150)("weather_wind_direction_deg")).toBeCloseTo(355);
    expect(at(590)("weather_rain_mm")).toBe(0.4);
    expect(at(600)("weather_rain_mm")).toBe(0);
  });

  test("[demo] continues across the end of the loop, forwards and backwards in time", () => {
    expect(at(LOOP_MS / 1_000)("soil_vwc_pct")).toBe(20);
    expect(at(-300)("soil_vwc_pct")).toBe(24);
    expect(at(1_050)("soil_vwc_pct")).toBeCloseTo(22);
  });

  test("[demo] keeps the time of day for a device shifted by some days in the loop", () => {
    const shifted = samplerAt(slice, MIDNIGHT, 3)("soil_vwc_pct");
    expect(shifted).toBe(samplerAt(slice, MIDNIGHT + 3 * DAY_MS, 0)("soil_vwc_pct"));
  });
});
