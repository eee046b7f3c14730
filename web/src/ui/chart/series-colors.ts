/** Names of the series colours, in the order in which they are given out; blue is water's alone. */
export const SERIES_COLORS = ["teal", "brown", "slate", "plum", "olive"] as const;
export type SeriesColor = (typeof SERIES_COLORS)[number] | "blue";

/** Fields that are amounts of water. */
const WATER: ReadonlySet<string> = new Set(["flowmeter", "speed", "waterlevel", "l", "rain", "valve"]);

/** A colour for each field, in order: water is blue, the others take turns. */
export function seriesColors(fields: readonly string[]): SeriesColor[] {
  let next = 0;
  return fields.map((field) => {
    if (WATER.has(field)) return "blue";
    const color = SERIES_COLORS[next % SERIES_COLORS.length] ?? "teal";
    next += 1;
    return color;
  });
}

/** The CSS variable of a series colour. */
export function seriesColorVar(color: SeriesColor): string {
  return `--mk-colors-series-${color}`;
}
