import { DAY_MS, farmWallClock, positionIn } from "./local-clock.ts";
import {
  type Cell,
  type ColumnName,
  ROW_MS,
  type Slice,
  SOURCE_COLUMNS,
  type SourceColumn,
} from "./slice.ts";

/** The value of a column at one time; NaN where the sensor sent NaN, undefined where it was silent. */
export type Sample = (column: ColumnName) => number | undefined;

interface Found {
  readonly row: number;
  readonly value: number;
}

function isFault(column: SourceColumn, value: number): boolean {
  return Number.isNaN(value) || (column.faultBelow !== undefined && value < column.faultBelow);
}

function between(column: SourceColumn, from: number, to: number, share: number): number {
  switch (column.between) {
    case "hold":
      return from;
    case "linear":
      return from + (to - from) * share;
    case "circular": {
      const turn = positionIn(360, to - from + 180) - 180;
      return positionIn(360, from + turn * share);
    }
  }
}

function find(cells: readonly Cell[], from: number, step: 1 | -1, reach: number): Found | undefined {
  for (let count = 0; count < reach; count += 1) {
    const row = from + step * count;
    const value = cells[positionIn(cells.length, row)];
    if (typeof value === "number") return { row, value };
  }
  return undefined;
}

/**
 * Return the value at a position in the loop, counted in rows (a fraction lies between two rows). A row's own
 * time has the row's own value. Between rows the value is interpolated, and a fault is held until the next
 * row. Where the next row is missing, the sensor is silent until it sends again.
 */
function valueAt(cells: readonly Cell[], column: SourceColumn, place: number): number | undefined {
  const row = Math.floor(place);
  const last = find(cells, row, -1, column.everyRows);
  if (last === undefined) return undefined;
  if (last.row === place) return last.value;
  const next = find(cells, row + 1, 1, last.row + column.everyRows - row);
  if (next === undefined) return undefined;
  if (isFault(column, last.value) || isFault(column, next.value)) return last.value;
  return between(column, last.value, next.value, (place - last.row) / (next.row - last.row));
}

/** Rows before the end of the loop over which it is led to its beginning: two days. */
const LED_ROWS = (2 * DAY_MS) / ROW_MS;

/** Lead the end of a column to its beginning, within its own range. A zero, such as light at night, stays. */
function ledToStart(cells: readonly Cell[], column: SourceColumn): readonly Cell[] {
  const isGood = (cell: Cell | undefined): cell is number =>
    typeof cell === "number" && !isFault(column, cell);
  const good = cells.filter(isGood);
  const [first, last] = [good[0], good.at(-1)];
  if (column.between !== "linear" || first === undefined || last === undefined) return cells;
  const least = good.reduce((a, b) => Math.min(a, b));
  const most = good.reduce((a, b) => Math.max(a, b));
  const begin = Math.max(0, cells.length - LED_ROWS);
  return cells.map((cell, row) => {
    if (row < begin || !isGood(cell) || cell === 0) return cell;
    const share = (row - begin + 1) / (cells.length - begin + 1);
    return Math.min(most, Math.max(least, cell + (first - last) * share));
  });
}

/**
 * Return the slice as a loop without a cliff where it begins again: on a farm nothing changes at once. The
 * values of its last two days lead to those of its first row.
 */
export function closedLoop(slice: Slice): Slice {
  const columns = new Map(
    [...slice.columns].map(([name, cells]) => [name, ledToStart(cells, SOURCE_COLUMNS[name])]),
  );
  return { ...slice, columns };
}

/**
 * Replay the slice on the farm's wall clock in a loop. The time of day stays, the date is shifted by
 * `shiftDays` in the loop.
 *
 * @param instant ms since 1970 UTC
 */
export function samplerAt(slice: Slice, instant: number, shiftDays: number): Sample {
  const into = farmWallClock(instant) - slice.start + shiftDays * DAY_MS;
  const place = positionIn(slice.rows * ROW_MS, into) / ROW_MS;
  return (name) => {
    const cells = slice.columns.get(name);
    return cells === undefined ? undefined : valueAt(cells, SOURCE_COLUMNS[name], place);
  };
}
