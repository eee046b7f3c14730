import { useEffect } from "react";
import type { Static, TSchema } from "typebox";
import type { CallFailure } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { fetchEvery, type LongList, useListed } from "../../api/listed.ts";
import type { ListAddress } from "../../components/table-address.ts";
import { pageCount } from "../../components/table-model.ts";
import { searchFor } from "../../i18n/search.ts";

export interface FoundRows<Row> {
  /** Null until the first page has loaded. */
  readonly rows: readonly Row[] | null;
  /** Total number of rows if `rows` is one page of them. */
  readonly total: number | undefined;
  readonly failure: CallFailure | null;
  /** True if a search or filter leaves rows out. */
  readonly narrowed: boolean;
  again(): void;
  /** Load every row that matches the search, from all pages. */
  every(): Promise<readonly Row[]>;
}

/** Filters of a list besides the search: each returns a row's value, as named by the farm API. */
export type Narrowing<Row> = Readonly<Record<string, (row: Row) => string>>;

/**
 * Load a long list with the search, page and order in the address.
 *
 * @param columnsOf the texts of a row that the search looks at
 */
export function useFoundRows<S extends TSchema>(
  list: LongList<S>,
  address: ListAddress,
  columnsOf: (row: Static<S>) => readonly unknown[],
  narrowing: Narrowing<Static<S>> = {},
): FoundRows<Static<S>> {
  const { client } = useRest();
  const { page, size, text, sort, onPage } = address;
  const filters = Object.fromEntries(Object.keys(narrowing).map((name) => [name, address.filter(name)]));
  const { listed, failure, again } = useListed(list, { page, size, text, sort, filters });
  /** Search and filter the rows of a farm API that cannot; an empty filter matches every row. */
  const search = (whole: readonly Static<S>[]) => {
    const holdsText = searchFor(text);
    return whole.filter(
      (row) =>
        holdsText(...columnsOf(row).map((value) => `${value ?? ""}`)) &&
        Object.entries(narrowing).every(([name, of]) => !filters[name] || filters[name] === of(row)),
    );
  };
  const last = listed?.kind === "page" ? pageCount(listed.total, size) : page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onPage` is a new function on every render
  useEffect(() => {
    // The last page has become empty. Replace the address, because back navigation would return to the empty
    // page.
    if (page > last) onPage(last, { replace: true });
  }, [page, last]);
  return {
    rows: listed === null ? null : listed.kind === "whole" ? search(listed.rows) : listed.rows,
    total: listed?.kind === "page" ? listed.total : undefined,
    failure,
    narrowed: text !== "" || Object.values(filters).some((value) => value !== ""),
    again,
    async every() {
      const found = await fetchEvery(client, list, { text, sort, filters }, new AbortController().signal);
      return listed?.kind === "whole" ? search(found) : found;
    },
  };
}
