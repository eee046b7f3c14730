import { MAX_PAGE_SIZE, PageOf } from "@mulkko/shared/rest/paging";
import { type Static, type TSchema, Type } from "typebox";
import type { RestClient } from "./client.ts";
import { type CallFailure, callFailure } from "./errors.ts";
import { readAnswer } from "./http.ts";
import { pause, useLastAnswer, useReload, useRestQuery } from "./queries.tsx";

/** Maximum number of pages requested for a whole list. */
const MAX_PAGES = 100;

/** A list that may be too long to load at once. */
export interface LongList<S extends TSchema> {
  readonly path: string;
  /** Schema of each row. */
  readonly row: S;
}

/** Query of a list. */
export interface ListQuery {
  /** Counted from 1. */
  readonly page: number;
  readonly size: number;
  /** Text that any column contains; empty means all. */
  readonly text: string;
  readonly sort: { readonly key: string; readonly descending: boolean } | null;
  /** Further filters by the farm API's names; empty ones are omitted. */
  readonly filters?: Readonly<Record<string, string>>;
}

/**
 * Result of a query: one page with the total; or, from an API without pages, the whole list, unfiltered and
 * unsorted.
 */
export type Listed<Row> =
  | { readonly kind: "page"; readonly rows: readonly Row[]; readonly total: number }
  | { readonly kind: "whole"; readonly rows: readonly Row[] };

const Answer = Type.Union([Type.Array(Type.Unknown()), PageOf(Type.Unknown())]);

function addressOf(path: string, { page, size, text, sort, filters = {} }: ListQuery): string {
  const query = new URLSearchParams({ page: `${page}`, size: `${size}` });
  if (text !== "") query.set("q", text);
  if (sort) query.set("sort", sort.descending ? `${sort.key},desc` : sort.key);
  for (const [name, value] of Object.entries(filters)) if (value !== "") query.set(name, value);
  return `${path}?${query}`;
}

/** Fetch a part of a list. An API of the plain contract ignores the query and answers with everything. */
export async function fetchListed<S extends TSchema>(
  rest: RestClient,
  { path, row }: LongList<S>,
  query: ListQuery,
  signal: AbortSignal,
): Promise<Listed<Static<S>>> {
  const answer = await rest.call({ method: "GET", path: addressOf(path, query), answer: Answer, signal });
  const rowsOf = (values: readonly unknown[]) => readAnswer(Type.Array(row), values, path);
  return Array.isArray(answer)
    ? { kind: "whole", rows: rowsOf(answer) }
    : { kind: "page", rows: rowsOf(answer.content), total: answer.totalElements };
}

/** Fetch every matching row, page by page. */
export async function fetchEvery<S extends TSchema>(
  rest: RestClient,
  list: LongList<S>,
  query: Pick<ListQuery, "text" | "sort" | "filters">,
  signal: AbortSignal,
): Promise<readonly Static<S>[]> {
  const found: Static<S>[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const listed = await fetchListed(rest, list, { ...query, page, size: MAX_PAGE_SIZE }, signal);
    if (listed.kind === "whole") return listed.rows;
    found.push(...listed.rows);
    if (listed.rows.length === 0 || found.length >= listed.total) break;
  }
  return found;
}

/** Debounce of typed search text, ms. */
const TYPED_MS = 250;

/** State of a long list's part. The previous rows stay while the next ones load. */
export interface UsedList<Row> {
  /** Null until the first answer. */
  readonly listed: Listed<Row> | null;
  /** Error of the last query. */
  readonly failure: CallFailure | null;
  /** Repeat the query after a change, with everything else that depends on the list. */
  again(): void;
}

export function useListed<S extends TSchema>(list: LongList<S>, query: ListQuery): UsedList<Static<S>> {
  const reload = useReload();
  const { data, error } = useRestQuery([list.path, query], async (rest, signal) => {
    if (query.text !== "") await pause(TYPED_MS, signal);
    return fetchListed(rest, list, query, signal);
  });
  return {
    listed: useLastAnswer(data),
    failure: error && callFailure(error),
    again: () => reload([list.path]),
  };
}
