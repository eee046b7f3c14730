/** The rows of a long list that stand in the page, `end` not among them, and the room of the others, CSS px. */
export interface RowSpan {
  readonly first: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** How high rows are: those that stood in the page once are known, the others are taken for average. */
export interface RowHeights {
  of(row: number): number;
  /** True if that is news. */
  note(row: number, height: number): boolean;
}

/** A change below this is rounding, CSS px. */
const ROUNDING = 0.5;

/** @param estimate CSS px of a row while none has been seen */
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

/** The rows that touch the stretch from `top` to `bottom`, CSS px from the beginning of the list. */
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

/** The same where every row is as high as the next: no list is too long to be reckoned with. */
export function evenRowSpan(rows: number, height: number, top: number, bottom: number): RowSpan {
  const within = (row: number): number => Math.min(rows, Math.max(0, row));
  const first = within(Math.floor(top / height));
  const end = Math.max(first, within(Math.ceil(bottom / height)));
  return { first, end, before: first * height, after: (rows - end) * height };
}
