import { MAX_PAGE_SIZE, PageOf } from "@mulkko/shared/rest/paging";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, type TSchema, Type } from "typebox";
import type { RestClient } from "./client.ts";
import { BadAnswerError } from "./errors.ts";

/** Pages that are asked for at most where every row is wanted. */
const MAX_PAGES = 100;

/** A list that may be longer than anybody reads at once. */
export interface LongList<S extends TSchema> {
  readonly path: string;
  /** What each row looks like. */
  readonly row: S;
}

/** What is wanted of it. */
export interface ListQuery {
  /** Counted from 1. */
  readonly page: number;
  readonly size: number;
  /** Text that some column contains; empty is everything. */
  readonly text: string;
  readonly sort: { readonly key: string; readonly descending: boolean } | null;
  /** What else narrows it down, by the names that the farm API has for it; empty is left out. */
  readonly filters?: Readonly<Record<string, string>>;
}

/**
 * What came: one page of all that was found; or, of an API that knows no pages, the whole list, which nobody has
 * searched or put in order.
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

/** Asks for a part of a list. An API of the plain contract pays no attention to the wish and answers everything. */
export async function fetchListed<S extends TSchema>(
  rest: RestClient,
  { path, row }: LongList<S>,
  query: ListQuery,
  signal: AbortSignal,
): Promise<Listed<Static<S>>> {
  const answer = await rest.call({ method: "GET", path: addressOf(path, query), answer: Answer, signal });
  const rowOf = (value: unknown): Static<S> => {
    const parsed = parse(row, value);
    if (!parsed.ok) throw new BadAnswerError(`${path}${parsed.path}: ${parsed.message}`);
    return parsed.value;
  };
  return Array.isArray(answer)
    ? { kind: "whole", rows: answer.map(rowOf) }
    : { kind: "page", rows: answer.content.map(rowOf), total: answer.totalElements };
}

/** Every row that is found, page by page. */
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
