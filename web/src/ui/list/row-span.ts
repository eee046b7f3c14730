/** Rendered rows of a long list (`end` excluded) and the padding for the others, CSS px. */
export interface RowSpan {
  readonly first: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** Row heights: measured for rendered rows, the average for the others. */
export interface RowHeights {
  of(row: number): number;
  /** Record a height; return true if it changed. */
  note(row: number, height: number): boolean;
}

/** A change below this is rounding, CSS px. */
const ROUNDING = 0.5;

/** @param estimate row height before any measurement, CSS px */
export function createRowHeights(estimate: number): RowHeights {
  const known = new Map<number, number>();
  let sum = 0;
  return {
    of: (row) => known.get(row) ?? (known.size === 0 ? estimate : sum / known.size),
    note(row, height) {
      const before = known.get(row);
      if (before !== undefined && Math.abs(before - height) < ROUNDING) return false;
      known.set(row, height);
      sum += height - (before ?? 0);
      return true;
    },
  };
}

/** Return the rows in the range from `top` to `bottom`, CSS px from the beginning of the list. */
export function rowSpan(
  rows: number,
  heightOf: (row: number) => number,
  top: number,
  bottom: number,
): RowSpan {
  let first = 0;
  let before = 0;
  while (first < rows && before + heightOf(first) <= top) before += heightOf(first++);
  let end = first;
  let edge = before;
  while (end < rows && edge < bottom) edge += heightOf(end++);
  let after = 0;
  for (let row = end; row < rows; row += 1) after += heightOf(row);
  return { first, end, before: Math.round(before), after: Math.round(after) };
}

/** Return the same for equal rows, in constant time. */
export function evenRowSpan(rows: number, height: number, top: number, bottom: number): RowSpan {
  const within = (row: number): number => Math.min(rows, Math.max(0, row));
  const first = within(Math.floor(top / height));
  const end = Math.max(first, within(Math.ceil(bottom / height)));
  return { first, end, before: first * height, after: (rows - end) * height };
}
