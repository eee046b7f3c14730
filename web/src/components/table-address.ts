import { useMemo } from "react";
import type { TableSort } from "./table-model.ts";
import { type NewestParams, useNewestParams } from "./use-newest-params.ts";

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
      change((changed) => changed.set("page", `${next}`), options);
    },
    onSort(next) {
      change(
        (changed) => {
          if (next === null) changed.delete("sort");
          else changed.set("sort", next.descending ? `-${next.key}` : next.key);
          changed.delete("page");
        },
        { replace: true },
      );
    },
  };
}

/** Page sizes of a long list; the first is the default. */
export const PAGE_SIZES = [5, 20, 50, 100] as const;

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
 * it.
 *
 * @param first default page size
 */
export function useListAddress(first: (typeof PAGE_SIZES)[number] = PAGE_SIZES[0]): ListAddress {
  const newest = useNewestParams();
  const { params, change } = newest;
  const table = useTableAddressIn(newest);
  const asked = Number(params.get("size"));
  /** A changed list starts at its first page. */
  const set = (name: string, value: string) =>
    change(
      (changed) => {
        if (value === "") changed.delete(name);
        else changed.set(name, value);
        changed.delete("page");
      },
      { replace: true },
    );
  return {
    ...table,
    page: Number.isInteger(table.page) && table.page > 0 ? table.page : 1,
    size: PAGE_SIZES.find((size) => size === asked) ?? first,
    text: (params.get("q") ?? "").slice(0, MAX_TEXT),
    onSize: (size) => set("size", size === first ? "" : `${size}`),
    onText: (text) => set("q", text),
    filter: (name) => params.get(name) ?? "",
    onFilter: set,
  };
}
