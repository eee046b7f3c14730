/** Names of the series colours, in order of assignment. Blue is reserved for water. */
export const SERIES_COLORS = ["teal", "brown", "slate", "plum", "olive"] as const;
export type SeriesColor = (typeof SERIES_COLORS)[number] | "blue";

/** Fields that are amounts of water. */
const WATER: ReadonlySet<string> = new Set(["flowmeter", "speed", "waterlevel", "l", "rain", "valve"]);

/** Return a colour for each field, in order: water is blue, the others rotate. */
export function seriesColors(fields: readonly string[]): SeriesColor[] {
  let next = 0;
  return fields.map((field) => {
    if (WATER.has(field)) return "blue";
    const color = SERIES_COLORS[next % SERIES_COLORS.length] ?? "teal";
    next += 1;
    return color;
  });
}

/** Count earlier uses of each colour. Lines of one chart that share a colour differ by their dashes. */
export const colorTurns = (colors: readonly SeriesColor[]): number[] =>
  colors.map((color, index) => colors.slice(0, index).filter((before) => before === color).length);

const DASHES: readonly (readonly number[])[] = [[], [9, 5], [2, 4]];

/** Return the dash and gap lengths for a repeated colour, CSS px; an empty list is a solid line. */
export const dashesOf = (turn: number): readonly number[] => DASHES[turn] ?? DASHES.at(-1) ?? [];

/** Return the CSS variable of a series colour. */
export function seriesColorVar(color: SeriesColor): string {
  return `--mk-colors-series-${color}`;
}
