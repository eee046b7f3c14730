import { MAX_CHANNELS } from "@mulkko/shared/rules/valve";
import type { FarmUnit } from "./farm-list.ts";

/** Controllers as rows, channel numbers as columns. */
export interface Matrix {
  /** Ascending, without a gap up to the highest channel that there is. */
  readonly columns: readonly number[];
  readonly rows: readonly MatrixRow[];
}

export interface MatrixRow {
  readonly unit: FarmUnit;
  /** The channel's id under each column; null where the unit has none of that number. */
  readonly cells: readonly (string | null)[];
}

/**
 * Lay out the units of a farm. A channel number above the maximum of a controller has a column of its own.
 */
export function matrixOf(units: readonly FarmUnit[]): Matrix {
  const numbers = new Set(units.flatMap(({ channels }) => channels.map(({ number }) => number)));
  const known = [...numbers].filter((number) => number <= MAX_CHANNELS);
  const columns = [
    ...Array.from({ length: Math.max(0, ...known) }, (_, index) => index + 1),
    ...[...numbers].filter((number) => number > MAX_CHANNELS).sort((a, b) => a - b),
  ];
  return {
    columns,
    rows: units.map((unit) => ({
      unit,
      cells: columns.map((column) => unit.channels.find(({ number }) => number === column)?.id ?? null),
    })),
  };
}

/** Position of a cell. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * Return the place that a key leads to within the matrix, or the same place where no channel follows.
 * Up and down lead to the nearest channel of the next unit that has any.
 */
export function moveTo({ rows }: Matrix, from: Place, key: string): Place {
  const cellsOf = (row: number): number[] =>
    (rows[row]?.cells ?? []).flatMap((id, column) => (id === null ? [] : [column]));
  const here = cellsOf(from.row);
  switch (key) {
    case "ArrowLeft":
      return { ...from, column: here.findLast((column) => column < from.column) ?? from.column };
    case "ArrowRight":
      return { ...from, column: here.find((column) => column > from.column) ?? from.column };
    case "Home":
      return { ...from, column: here[0] ?? from.column };
    case "End":
      return { ...from, column: here.at(-1) ?? from.column };
    case "ArrowUp":
    case "ArrowDown": {
      const step = key === "ArrowUp" ? -1 : 1;
      for (let row = from.row + step; row >= 0 && row < rows.length; row += step) {
        const [first, ...others] = cellsOf(row);
        if (first === undefined) continue;
        const distance = (column: number) => Math.abs(column - from.column);
        return {
          row,
          column: others.reduce((near, each) => (distance(each) < distance(near) ? each : near), first),
        };
      }
      return from;
    }
    default:
      return from;
  }
}

/** Return the position of the first channel; null without any. */
export function firstPlace({ rows }: Matrix): Place | null {
  for (const [row, { cells }] of rows.entries()) {
    const column = cells.findIndex((id) => id !== null);
    if (column >= 0) return { row, column };
  }
  return null;
}
