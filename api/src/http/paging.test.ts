import { expect, test } from "vitest";
import { containing, isPaged, orderBy, sliceOf } from "./paging.ts";

test("[paging] pages begin at 1 and have fifty rows by default", () => {
  expect(sliceOf({})).toEqual({ limit: 50, offset: 0 });
  expect(sliceOf({ page: 3, size: 5 })).toEqual({ limit: 5, offset: 10 });
});

test("[paging] a list is complete unless one of page, size, q and sort is given", () => {
  expect(isPaged({})).toBe(false);
  expect([{ page: 1 }, { size: 5 }, { q: "" }, { sort: "name" }].map(isPaged)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test("[paging] the search term is text, not a pattern", () => {
  expect(containing("50%_\\")).toBe("%50\\%\\_\\\\%");
});

test("[paging] sorts by listed columns only, up or down", () => {
  const columns = { name: "lower(name)" };
  expect(orderBy(undefined, columns, "id")).toBe("order by id");
  expect(orderBy("name", columns, "id")).toBe("order by lower(name) asc nulls last, id");
  expect(orderBy("name,desc", columns, "id")).toBe("order by lower(name) desc nulls last, id");
  for (const requested of [
    "",
    "id; drop table account",
    "name,sideways",
    "name,asc,x",
    "constructor",
    "__proto__",
  ]) {
    expect(() => orderBy(requested, columns, "id")).toThrow("sort must be one of name");
  }
});
