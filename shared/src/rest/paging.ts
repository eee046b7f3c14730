import { type Static, type TSchema, Type } from "typebox";

/** Most rows of one page. */
export const MAX_PAGE_SIZE = 200;
export const DEFAULT_PAGE_SIZE = 50;

/** Which page of a list: the first is 1. */
export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE })),
});
export type PageQuery = Static<typeof PageQuery>;

/** A page of a list that can be searched and sorted. With none of these a list is answered bare and whole. */
export const SearchQuery = Type.Object({
  ...PageQuery.properties,
  /** Text that some column contains, without regard to case. */
  q: Type.Optional(Type.String({ maxLength: 100 })),
  /** A column's name; with `,desc` behind it from its end. */
  sort: Type.Optional(Type.String({ maxLength: 40 })),
});
export type SearchQuery = Static<typeof SearchQuery>;

/** What a page is answered as. */
export const PageOf = <S extends TSchema>(row: S) =>
  Type.Object({ content: Type.Array(row), totalElements: Type.Integer() });

export interface Page<T> {
  readonly content: T[];
  readonly totalElements: number;
}
