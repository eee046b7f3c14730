import { useMemo } from "react";
import { type NewestParams, useNewestParams, withParam } from "./address.ts";
import type { TableSort } from "./table-model.ts";

/** State of a table: page and order. */
export interface TableAddress {
  readonly page: number;
  readonly sort: TableSort | null;
  /** @param replace true to omit the open page from the history */
  onPage(page: number, options?: { readonly replace: boolean }): void;
  /** @param sort null for the default order */
  onSort(sort: TableSort | null): void;
}

/**
 * Keep page and order in the address (`page=3`, `sort=-moisture`), so that reload and back navigation restore
 * them.
 */
export function useTableAddress(): TableAddress {
  return useTableAddressIn(useNewestParams());
}

/** Do the same for a list with more state in its address. */
function useTableAddressIn({ params, change }: NewestParams): TableAddress {
  const page = Number(params.get("page") ?? 1);
  const text = params.get("sort") ?? "";
  const sort = useMemo(
    () => (text === "" ? null : { key: text.replace(/^-/, ""), descending: text.startsWith("-") }),
    [text],
  );
  return {
    page,
    sort,
    onPage(next, options) {
      change((params) => withParam(params, "page", `${next}`), options);
    },
    onSort(next) {
      const key = next && (next.descending ? `-${next.key}` : next.key);
      change((params) => withParam(withParam(params, "sort", key), "page", null), { replace: true });
    },
  };
}

/** Page sizes of a long list. */
export const PAGE_SIZES = [5, 20, 25, 50, 100] as const;

/** Page size of a browser without a choice. */
const USUAL_SIZE = 25;

/** Local storage key of the page size chosen last. */
const SIZE_KEY = "mulkko.pageSize";

const sizeOf = (text: string | null): number | undefined => PAGE_SIZES.find((size) => `${size}` === text);

/** Maximum length of a search text in the farm API. */
export const MAX_TEXT = 100;

/** State of a long list: page, page size, order and search text. */
export interface ListAddress extends TableAddress {
  readonly size: number;
  /** Search text; empty means all. */
  readonly text: string;
  onSize(size: number): void;
  onText(text: string): void;
  /** Return a further filter by its name in the address; empty means all. */
  filter(name: string): string;
  onFilter(name: string, value: string): void;
}

/**
 * Keep the list state in the address (`page=3&size=50&q=soil&sort=-name`), so that reloads and links restore
 * it. Without a size in the address the one chosen last in this browser applies.
 */
export function useListAddress(): ListAddress {
  const newest = useNewestParams();
  const { params, change } = newest;
  const table = useTableAddressIn(newest);
  /** A changed list starts at its first page. */
  const set = (name: string, value: string) =>
    change((before) => withParam(withParam(before, name, value === "" ? null : value), "page", null), {
      replace: true,
    });
  return {
    ...table,
    page: Number.isInteger(table.page) && table.page > 0 ? table.page : 1,
    size: sizeOf(params.get("size")) ?? sizeOf(localStorage.getItem(SIZE_KEY)) ?? USUAL_SIZE,
    text: (params.get("q") ?? "").slice(0, MAX_TEXT),
    onSize(size) {
      localStorage.setItem(SIZE_KEY, `${size}`);
      set("size", `${size}`);
    },
    onText: (text) => set("q", text),
    filter: (name) => params.get(name) ?? "",
    onFilter: set,
  };
}
