import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type NavigateOptions, useLocation, useSearchParams } from "react-router-dom";
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

/** The newest requested search of the address, and a function to change it. */
interface NewestParams {
  readonly params: URLSearchParams;
  change(edit: (params: URLSearchParams) => void, options?: NavigateOptions): void;
}

/**
 * Return the newest requested search. The router renders a change later than requested; until then this value
 * is ahead. Two quick changes therefore both stay, and typed text shows at once. An input that is reset for a
 * moment loses letters and breaks off a syllable in composition.
 */
function useNewestParams(): NewestParams {
  const [drawn, setParams] = useSearchParams();
  const { key } = useLocation();
  const newest = useRef(drawn);
  /** Requested changes not rendered yet, oldest first; the router may skip all but the last. */
  const coming = useRef<readonly string[]>([]);
  const [ahead, setAhead] = useState<URLSearchParams | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` also reports a change back to the same search
  useLayoutEffect(() => {
    const at = coming.current.lastIndexOf(drawn.toString());
    coming.current = at < 0 ? [] : coming.current.slice(at + 1);
    if (coming.current.length > 0) return;
    newest.current = drawn;
    setAhead(null);
  }, [drawn, key]);
  const change = useCallback(
    (edit: (params: URLSearchParams) => void, options?: NavigateOptions) => {
      const changed = new URLSearchParams(newest.current);
      edit(changed);
      newest.current = changed;
      coming.current = [...coming.current, changed.toString()];
      setAhead(changed);
      setParams(changed, options);
    },
    [setParams],
  );
  return { params: ahead ?? drawn, change };
}
