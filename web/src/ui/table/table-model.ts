/** What a row is ordered by; null is missing. */
export type SortValue = string | number | null;

/** The column that orders a table. */
export interface TableSort {
  readonly key: string;
  readonly descending: boolean;
}

/** Page numbers that stand in the pager at once. */
const NUMBERS = 5;

const collator = new Intl.Collator(["ko", "en", "zh"], { numeric: true, sensitivity: "base" });

const isMissing = (value: SortValue): value is null | "" =>
  value === null || value === "" || Number.isNaN(value);

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(`${a}`, `${b}`);
}

/** Rows in order; what is missing stands last in both directions, what is equal keeps its order. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => SortValue,
  descending: boolean,
): Row[] {
  const turn = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sortBy(row) }))
    .sort((a, b) => {
      const missing = Number(isMissing(a.value)) - Number(isMissing(b.value));
      return missing !== 0 || isMissing(a.value) ? missing : turn * compare(a.value, b.value);
    })
    .map(({ row }) => row);
}

/** A press on a column's head: up first, then down, then up again. */
export function nextSort(sort: TableSort | null, key: string): TableSort {
  return { key, descending: sort?.key === key && !sort.descending };
}

/** How many pages so many rows take; one where there is nothing. */
export function pageCount(rows: number, size: number): number {
  return Math.max(1, Math.ceil(rows / size));
}

/** A page that there is. Pages count from 1. */
export function pageWithin(page: number, pages: number): number {
  return Number.isInteger(page) ? Math.min(Math.max(1, page), pages) : 1;
}

/** The rows of one page. */
export function rowsOfPage<Row>(rows: readonly Row[], page: number, size: number): readonly Row[] {
  return rows.slice((page - 1) * size, page * size);
}

/** The numbers of the pager: five at most, the open one in their middle where there is room. */
export function numbersAround(page: number, pages: number): number[] {
  const shown = Math.min(NUMBERS, pages);
  const first = Math.min(Math.max(1, page - Math.floor(NUMBERS / 2)), pages - shown + 1);
  return Array.from({ length: shown }, (_, place) => first + place);
}
