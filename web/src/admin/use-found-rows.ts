import { useEffect } from "react";
import type { Static, TSchema } from "typebox";
import type { CallFailure } from "../rest/errors.ts";
import { useRest } from "../rest/hooks.ts";
import { fetchEvery, type LongList } from "../rest/listed.ts";
import { useListed } from "../rest/use-listed.ts";
import { pageCount } from "../ui/table/table-model.ts";
import type { ListAddress } from "../ui/table/use-list-address.ts";

export interface FoundRows<Row> {
  /** Null until something has come. */
  readonly rows: readonly Row[] | null;
  /** Set where `rows` are one page of so many. */
  readonly total: number | undefined;
  readonly failure: CallFailure | null;
  /** They are not all that there are: something is searched for, or filtered by. */
  readonly narrowed: boolean;
  again(): void;
  /** Every row that the search finds, of all pages. */
  every(): Promise<readonly Row[]>;
}

/** Rows that hold a text in one of their columns, where the farm API does not search by itself. */
export function holdingText<Row>(
  rows: readonly Row[],
  text: string,
  columnsOf: (row: Row) => readonly unknown[],
): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter((row) =>
    columnsOf(row).some((value) => `${value ?? ""}`.toLowerCase().includes(wanted)),
  );
}

/** What a list is narrowed down by, besides the search: what a row counts as, by names that the farm API knows. */
export type Narrowing<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Rows that count as what is asked for; empty is everything. */
const countingAs = <Row>(
  rows: readonly Row[],
  filters: Readonly<Record<string, string>>,
  narrowing: Narrowing<Row>,
): readonly Row[] =>
  rows.filter((row) =>
    Object.entries(narrowing).every(([name, of]) => !filters[name] || filters[name] === of(row)),
  );

/**
 * A long list as the address asks for it.
 *
 * @param list stays the same object
 * @param columnsOf what is searched for in a row
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
  const search = (whole: readonly Static<S>[]) =>
    countingAs(holdingText(whole, text, columnsOf), filters, narrowing);
  const last = listed?.kind === "page" ? pageCount(listed.total, size) : page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onPage` is made anew at every drawing
  useEffect(() => {
    // The last page was emptied; the way back would lead to it, and from there to here again.
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
