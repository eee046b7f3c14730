/** Interpolation between two rows of a column. */
type Between = "linear" | "circular" | "hold";

/** One column of `demo-data/greenhouse.csv`. */
export interface SourceColumn {
  /** Rows from one value to the next: 1 is every 5 minutes, 12 every hour. */
  readonly everyRows: 1 | 12;
  readonly between: Between;
  /** A value below this is a sensor fault (a false zero, CO₂ stuck at 5 ppm) and is never interpolated. */
  readonly faultBelow?: number;
}

const fiveMinutes = (faultBelow?: number): SourceColumn => ({
  everyRows: 1,
  between: "linear",
  ...(faultBelow === undefined ? {} : { faultBelow }),
});

const hourly = (between: Between, faultBelow?: number): SourceColumn => ({
  everyRows: 12,
  between,
  ...(faultBelow === undefined ? {} : { faultBelow }),
});

/** Every column of the slice, in the file's order. The names include the units. */
export const SOURCE_COLUMNS = {
  co2_ppm: fiveMinutes(100),
  afd4_humidity_pct: fiveMinutes(0.5),
  afd4_temperature_c: fiveMinutes(0.5),
  pmc_humidity_pct: fiveMinutes(),
  pmc_temperature_c: fiveMinutes(),
  pmc_dewpoint_diff_c: fiveMinutes(),
  pmc_vpd_kpa: fiveMinutes(),
  par_umol_m2_s: fiveMinutes(),
  kas4r_humidity_pct: fiveMinutes(),
  kas4r_temperature_c: fiveMinutes(),
  kas4l_humidity_pct: fiveMinutes(),
  kas4l_temperature_c: fiveMinutes(),
  sendot_battery_v: fiveMinutes(),
  sendot_dissolved_mg_l: fiveMinutes(),
  sendot_pressure_mb: fiveMinutes(),
  sendot_temperature_c: fiveMinutes(),
  weather_pressure_hpa: hourly("linear", 300),
  weather_radiation_w_m2: hourly("linear"),
  weather_rain_mm: hourly("hold"),
  weather_humidity_pct: hourly("linear", 0.5),
  weather_temperature_c: hourly("linear", 0.05),
  weather_wind_direction_deg: hourly("circular"),
  weather_wind_speed_m_s: hourly("linear"),
  soil_ecb_us_cm: fiveMinutes(),
  soil_ecw_us_cm: fiveMinutes(),
  soil_temperature_c: fiveMinutes(),
  soil_vwc_pct: fiveMinutes(),
} as const satisfies Record<string, SourceColumn>;

export type ColumnName = keyof typeof SOURCE_COLUMNS;

/** True for the name of a column of the slice. */
export function isColumnName(name: string): name is ColumnName {
  return Object.hasOwn(SOURCE_COLUMNS, name);
}
