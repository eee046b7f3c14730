import { wallClockOf } from "./local-clock.ts";
import { type ColumnName, isColumnName } from "./source-columns.ts";

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
