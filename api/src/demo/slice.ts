import { wallClockOf } from "./local-clock.ts";

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
function isColumnName(name: string): name is ColumnName {
  return Object.hasOwn(SOURCE_COLUMNS, name);
}

/** Time from one row to the next. */
export const ROW_MS = 300_000;

/** A number, NaN where the recording says `NaN`, or null where the cell is empty. */
export type Cell = number | null;

/** A recording on a regular 5-minute grid, kept in memory. */
export interface Slice {
  /** Wall clock of the first row, ms of a calendar without zones. */
  readonly start: number;
  readonly rows: number;
  readonly columns: ReadonlyMap<ColumnName, readonly Cell[]>;
}

function cellOf(text: string, line: number): Cell {
  if (text === "") return null;
  if (text === "NaN") return Number.NaN;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error(`greenhouse.csv line ${line}: "${text}" is no number`);
  return number;
}

/**
 * Read the slice of the greenhouse recording.
 *
 * @throws Error naming the line, where a cell is not a number or a row is off the 5-minute grid.
 */
export function parseSlice(csv: string): Slice {
  const [head = "", ...lines] = csv.trimEnd().split(/\r?\n/);
  const names = head
    .split(",")
    .slice(1)
    .map((name) => {
      if (!isColumnName(name)) throw new Error(`greenhouse.csv line 1: unknown column "${name}"`);
      return name;
    });
  const columns = new Map<ColumnName, Cell[]>(names.map((name) => [name, []]));
  let start = Number.NaN;
  for (const [row, line] of lines.entries()) {
    const [time = "", ...cells] = line.split(",");
    const wall = wallClockOf(time);
    if (row === 0) start = wall;
    if (wall !== start + row * ROW_MS)
      throw new Error(`greenhouse.csv line ${row + 2}: off the grid at "${time}"`);
    if (cells.length !== names.length) {
      throw new Error(`greenhouse.csv line ${row + 2}: ${cells.length} cells, not ${names.length}`);
    }
    for (const [index, name] of names.entries()) {
      columns.get(name)?.push(cellOf(cells[index] ?? "", row + 2));
    }
  }
  if (lines.length === 0) throw new Error("greenhouse.csv holds no rows");
  return { start, rows: lines.length, columns };
}
