import { useMemo } from "react";
import type { TableSort } from "./table-model.ts";
import { type NewestParams, useNewestParams } from "./use-newest-params.ts";

/** Where a table stands: which page, in which order. */
export interface TableAddress {
  readonly page: number;
  readonly sort: TableSort | null;
  /** @param replace the way back does not lead to the page that was open */
  onPage(page: number, options?: { readonly replace: boolean }): void;
  /** @param sort null: in no order of the reader's */
  onSort(sort: TableSort | null): void;
}

/** Keeps page and order in the address (`page=3`, `sort=-moisture`), so that a reload and the way back find them. */
export function useTableAddress(): TableAddress {
  return useTableAddressIn(useNewestParams());
}

/** The same for a list that keeps more in its address. */
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
