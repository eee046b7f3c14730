import type { FieldName } from "@mulkko/shared/catalogue/fields";
import type { Sample } from "./series.ts";
import type { ColumnName } from "./slice.ts";

type FieldSource = (sample: Sample) => number | undefined;

/** Mapping of the recording's columns to the readings of one kind of replayed device. */
export interface Recipe {
  /** The device is silent where this column has no value; another missing column omits its field only. */
  readonly anchor: ColumnName;
  readonly fields: Readonly<Partial<Record<FieldName, FieldSource>>>;
}

const from =
  (column: ColumnName, convert: (value: number) => number = (value) => value): FieldSource =>
  (sample) => {
    const value = sample(column);
    return value === undefined ? undefined : convert(value);
  };

const microToDeci = (microSiemensPerCm: number): number => microSiemensPerCm / 1_000;
/** Sunlight: about 2.02 µmol of photosynthetic light per joule, and 54 lx per µmol/(m²·s). Approximations. */
const parToWatts = (micromol: number): number => micromol / 2.02;
const parToLux = (micromol: number): number => micromol * 54;
/** Daylight: about 120 lx per W/m² of global radiation. An approximation. */
const wattsToLux = (watts: number): number => watts * 120;
/** A lithium cell: 3.3 V is empty, 4.1 V full, linear in between. An approximation. */
const cellToPercent = (volt: number): number => Math.min(100, Math.max(0, ((volt - 3.3) / 0.8) * 100));

/**
 * Temperature-humidity index of the US National Research Council (1971): °C and % → index, about 64 (no stress)
 * to 100 (danger).
 */
export function heatStress(temperature: number, humidity: number): number {
  return 1.8 * temperature + 32 - (0.55 - 0.0055 * humidity) * (1.8 * temperature - 26);
}

const stress: FieldSource = (sample) => {
  const temperature = sample("pmc_temperature_c");
  const humidity = sample("pmc_humidity_pct");
  return temperature === undefined || humidity === undefined ? undefined : heatStress(temperature, humidity);
};

const soil = { soilTemperature: from("soil_temperature_c"), moisture: from("soil_vwc_pct") };
const light = { co2: from("co2_ppm"), solar: from("par_umol_m2_s", parToWatts) };
const sendotPressure = from("sendot_pressure_mb");

/** Every recipe; `demo-data/README.md` lists the same as a table. */
export const RECIPES = {
  soil: { anchor: "soil_vwc_pct", fields: soil },
  soilEc: {
    anchor: "soil_vwc_pct",
    fields: {
      moisture: soil.moisture,
      temperature: soil.soilTemperature,
      ec: from("soil_ecb_us_cm", microToDeci),
    },
  },
  poreWaterEc: {
    anchor: "soil_vwc_pct",
    fields: {
      moisture: soil.moisture,
      temperature: soil.soilTemperature,
      ec: from("soil_ecw_us_cm", microToDeci),
    },
  },
  greenhouseAir: {
    anchor: "kas4r_temperature_c",
    fields: {
      ...light,
      temperature: from("kas4r_temperature_c"),
      humidity: from("kas4r_humidity_pct"),
      pressure: sendotPressure,
      td: from("pmc_dewpoint_diff_c"),
      vpd: from("pmc_vpd_kpa", (kPa) => kPa * 1_000),
    },
  },
  climateComputer: {
    anchor: "afd4_temperature_c",
    fields: {
      ...light,
      temperature: from("afd4_temperature_c"),
      humidity: from("afd4_humidity_pct"),
      pressure: sendotPressure,
    },
  },
  carbonDioxide: {
    anchor: "kas4l_temperature_c",
    fields: {
      ...light,
      temperature: from("kas4l_temperature_c"),
      humidity: from("kas4l_humidity_pct"),
      pressure: sendotPressure,
    },
  },
  heatStress: {
    anchor: "pmc_temperature_c",
    fields: {
      ...light,
      temperature: from("pmc_temperature_c"),
      humidity: from("pmc_humidity_pct"),
      pressure: sendotPressure,
      stress,
    },
  },
  nutrient: {
    anchor: "sendot_temperature_c",
    fields: {
      temperature: from("sendot_temperature_c"),
      gdo: from("sendot_dissolved_mg_l"),
      battery: from("sendot_battery_v", cellToPercent),
    },
  },
  field: {
    anchor: "pmc_temperature_c",
    fields: {
      temperature: from("pmc_temperature_c"),
      moisture: soil.moisture,
      lux: from("par_umol_m2_s", parToLux),
      press: sendotPressure,
      ec: from("soil_ecb_us_cm", microToDeci),
    },
  },
  weather: {
    anchor: "weather_temperature_c",
    fields: {
      windD: from("weather_wind_direction_deg"),
      windS: from("weather_wind_speed_m_s"),
      rain: from("weather_rain_mm"),
      illuminance: from("weather_radiation_w_m2", wattsToLux),
      temperature: from("weather_temperature_c"),
      humidity: from("weather_humidity_pct"),
      pressure: from("weather_pressure_hpa"),
    },
  },
} as const satisfies Record<string, Recipe>;

export type RecipeName = keyof typeof RECIPES;
