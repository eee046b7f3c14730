import { type Static, type TSchema, Type } from "typebox";

/** Maximum number of rows of one page. */
export const MAX_PAGE_SIZE = 200;
export const DEFAULT_PAGE_SIZE = 50;

/** Number of a page; the first is 1. */
export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE })),
});
export type PageQuery = Static<typeof PageQuery>;

/**
 * Query of a list that can be searched and sorted. Without any of these fields the answer is the bare, whole
 * list.
 */
export const SearchQuery = Type.Object({
  ...PageQuery.properties,
  /** Text contained in any column, without regard to case. */
  q: Type.Optional(Type.String({ maxLength: 100 })),
  /** A column's name; `,desc` behind it reverses the order. */
  sort: Type.Optional(Type.String({ maxLength: 40 })),
});
export type SearchQuery = Static<typeof SearchQuery>;

/** A page of a list. */
export const PageOf = <S extends TSchema>(row: S) =>
  Type.Object({ content: Type.Array(row), totalElements: Type.Integer() });

export interface Page<T> {
  readonly content: T[];
  readonly totalElements: number;
}
