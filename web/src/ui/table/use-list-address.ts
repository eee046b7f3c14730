import { useNewestParams } from "./use-newest-params.ts";
import { type TableAddress, useTableAddressIn } from "./use-table-address.ts";

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
