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

/** Return an `ilike` pattern that matches the literal text. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

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
