import { byName } from "../i18n/by-name.ts";

/** Sort value of a row; null is missing. */
export type SortValue = string | number | null;

/** The sort column of a table. */
export interface TableSort {
  readonly key: string;
  readonly descending: boolean;
}

/** Number of page numbers in the pager. */
const NUMBERS = 5;

const isMissing = (value: SortValue): value is null | "" =>
  value === null || value === "" || Number.isNaN(value);

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return byName({ name: `${a}` }, { name: `${b}` });
}

/** Sort rows: missing values last in both directions, equal rows in their order. */
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

/** Return the next sort after a press on a header: ascending, then descending, then ascending. */
export function nextSort(sort: TableSort | null, key: string): TableSort {
  return { key, descending: sort?.key === key && !sort.descending };
}

/** Return the number of pages for a number of rows; at least one. */
export function pageCount(rows: number, size: number): number {
  return Math.max(1, Math.ceil(rows / size));
}

/** Limit a page number to existing pages. Pages count from 1. */
export function pageWithin(page: number, pages: number): number {
  return Number.isInteger(page) ? Math.min(Math.max(1, page), pages) : 1;
}

/** Return the rows of one page. */
export function rowsOfPage<Row>(rows: readonly Row[], page: number, size: number): readonly Row[] {
  return rows.slice((page - 1) * size, page * size);
}

/** Return the pager's numbers: at most five, with the open page in the middle if possible. */
export function numbersAround(page: number, pages: number): number[] {
  const shown = Math.min(NUMBERS, pages);
  const first = Math.min(Math.max(1, page - Math.floor(NUMBERS / 2)), pages - shown + 1);
  return Array.from({ length: shown }, (_, place) => first + place);
}
