import { DEFAULT_PAGE_SIZE, type PageQuery, type SearchQuery } from "@mulkko/shared/rest/paging";
import { ApiError } from "./api-error.ts";

/** A page as SQL. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export const sliceOf = ({ page = 1, size = DEFAULT_PAGE_SIZE }: PageQuery): Slice => ({
  limit: size,
  offset: (page - 1) * size,
});

/** True for a paged list. */
export const isPaged = (query: SearchQuery): boolean =>
  [query.page, query.size, query.q, query.sort].some((value) => value !== undefined);

/** Return the parameter of {@link matching} for a search; null where none is wanted. */
export const searchParameter = (typed: string | undefined): string | null => typed?.trim() || null;

/** Letters as searches compare them: `searchText` of shared/src/rules/search-text.ts in SQL. */
const folded = (text: string): string => `lower(normalize(${text}, nfkc))`;
/** One text of several columns; the line feeds keep a match within one column. */
const joined = (columns: readonly string[]): string => `concat_ws(E'\\n', ${columns.join(", ")})`;
const digitsOf = (text: string): string => `regexp_replace(${text}, '[^0-9\\n]', '', 'g')`;
/** `NUMBER_LIKE` of shared/src/rules/search-text.ts in SQL. */
const NUMBER_LIKE = "'^\\s*\\+?[0-9\\s()./-]*[0-9][0-9\\s()./-]*$'";

/**
 * Return the SQL condition of a search in text columns (FIND-1). The parameter is literal text; null finds
 * all.
 *
 * @param parameter such as `$1`, of {@link searchParameter}
 * @param numbers columns whose digits count, however they are grouped
 */
export function matching(
  parameter: string,
  columns: readonly string[],
  numbers: readonly string[] = [],
): string {
  const text = folded(`${parameter}::text`);
  const found = [`strpos(${folded(joined([...columns, ...numbers]))}, ${text}) > 0`];
  if (numbers.length > 0) {
    const digits = digitsOf(folded(joined(numbers)));
    found.push(`(${text} ~ ${NUMBER_LIKE} and strpos(${digits}, ${digitsOf(text)}) > 0)`);
  }
  return `(${parameter}::text is null or ${found.join(" or ")})`;
}

/**
 * Return the `order by` of a sort request such as `username,desc`.
 *
 * @param columns allowed columns, each with its SQL expression
 * @param last keeps equal rows in a fixed order
 * @throws ApiError 422 for any other column
 */
export function orderBy(
  requested: string | undefined,
  columns: Readonly<Record<string, string>>,
  last: string,
): string {
  if (requested === undefined) return `order by ${last}`;
  const [name = "", direction = "asc", ...rest] = requested.split(",");
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (!column || !["asc", "desc"].includes(direction) || rest.length > 0) {
    const known = Object.keys(columns).join(", ");
    throw new ApiError(422, "validation", `sort must be one of ${known}, or one of them with ,desc`, {
      field: "sort",
    });
  }
  return `order by ${column} ${direction} nulls last, ${last}`;
}
