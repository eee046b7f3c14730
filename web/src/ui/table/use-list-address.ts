import { useNewestParams } from "./use-newest-params.ts";
import { type TableAddress, useTableAddressIn } from "./use-table-address.ts";

/** How many rows a page of a long list may have; the first is what it begins with. */
export const PAGE_SIZES = [5, 20, 50, 100] as const;

/** Longest text that a list is searched for, as the farm API has it. */
export const MAX_TEXT = 100;

/** Where a long list stands: which page of how many rows, in which order, and of what is searched for. */
export interface ListAddress extends TableAddress {
  readonly size: number;
  /** What is searched for; empty is everything. */
  readonly text: string;
  onSize(size: number): void;
  onText(text: string): void;
  /** What else narrows the list down, by its name in the address; empty is everything. */
  filter(name: string): string;
  onFilter(name: string, value: string): void;
}

/**
 * Keeps all of that in the address (`page=3&size=50&q=soil&sort=-name`), where a reload and a link find it.
 *
 * @param first how many rows a page has while nobody asks for more
 */
export function useListAddress(first: (typeof PAGE_SIZES)[number] = PAGE_SIZES[0]): ListAddress {
  const newest = useNewestParams();
  const { params, change } = newest;
  const table = useTableAddressIn(newest);
  const asked = Number(params.get("size"));
  /** Another list begins at its first page. */
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
