import { describe, expect, test } from "vitest";
import { loadRecordings } from "./replay.ts";
import { parseSlice, SOURCE_COLUMNS } from "./slice.ts";

const small = [
  "time,soil_vwc_pct,soil_ecw_us_cm",
  "2020-09-01 00:00,20.1,5000",
  "2020-09-01 00:05,,NaN",
  "2020-09-01 00:10,0,5100.5",
].join("\n");

describe("parseSlice", () => {
  test("[demo] distinguishes numbers, literal NaN and empty cells", () => {
    const slice = parseSlice(small);
    expect(slice.rows).toBe(3);
    expect(slice.columns.get("soil_vwc_pct")).toEqual([20.1, null, 0]);
    expect(slice.columns.get("soil_ecw_us_cm")).toEqual([5000, Number.NaN, 5100.5]);
  });

  test("[demo] names the line of an invalid number, a row off the grid and a short row", () => {
    expect(() => parseSlice(small.replace("5100.5", "many"))).toThrow("line 4");
    expect(() => parseSlice(small.replace("00:10", "00:11"))).toThrow("line 4: off the grid");
    expect(() => parseSlice(small.replace(",5000", ""))).toThrow("line 2: 1 cells");
    expect(() => parseSlice(small.replace("soil_vwc_pct", "soil_age"))).toThrow("soil_age");
  });

  test("[demo] reads the whole recording: 15 days, every column, its real faults", () => {
    const { slice } = loadRecordings();
    expect(slice.rows).toBe(15 * 288);
    expect([...slice.columns.keys()].sort()).toEqual(Object.keys(SOURCE_COLUMNS).sort());
    const cells = (name: keyof typeof SOURCE_COLUMNS) => slice.columns.get(name) ?? [];
    expect(cells("soil_ecw_us_cm").filter((cell) => Number.isNaN(cell))).toHaveLength(2_604);
    expect(cells("pmc_temperature_c").filter((cell) => cell === null)).toHaveLength(327);
    expect(cells("weather_pressure_hpa").filter((cell) => cell === 0)).toHaveLength(9);
    expect(cells("co2_ppm").filter((cell) => cell !== null && cell < 10).length).toBeGreaterThanOrEqual(90);
  });
});
