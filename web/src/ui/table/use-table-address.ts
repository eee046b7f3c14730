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
export function useTableAddressIn({ params, change }: NewestParams): TableAddress {
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
