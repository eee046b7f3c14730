import { describe, expect, it } from "vitest";
import { nextSort, numbersAround, pageCount, pageWithin, rowsOfPage, sortRows } from "./table-model.ts";

const rows = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("table model", () => {
  it("[table] sorts numbers as numbers and text by locale, with missing values last in both directions", () => {
    const values = [10, null, 9.5, Number.NaN, -1, 100];
    expect(sortRows(values, (value) => value, false)).toEqual([-1, 9.5, 10, 100, null, Number.NaN]);
    expect(sortRows(values, (value) => value, true)).toEqual([100, 10, 9.5, -1, null, Number.NaN]);
    const names = ["동 10", "", "동 2", "가"];
    expect(sortRows(names, (name) => name, false)).toEqual(["가", "동 2", "동 10", ""]);
    expect(sortRows(names, (name) => name, true)).toEqual(["동 10", "동 2", "가", ""]);
  });
  it("[table] keeps the order of equal rows in both directions", () => {
    const equal = [
      { id: "a", n: 1 },
      { id: "b", n: 1 },
      { id: "c", n: 0 },
    ];
    const ids = (descending: boolean) => sortRows(equal, ({ n }) => n, descending).map(({ id }) => id);
    expect(ids(false)).toEqual(["c", "a", "b"]);
    expect(ids(true)).toEqual(["a", "b", "c"]);
  });
  it("[table] sorts by a header ascending, then descending; another header starts ascending", () => {
    const up = nextSort(null, "name");
    expect(up).toEqual({ key: "name", descending: false });
    const down = nextSort(up, "name");
    expect(down).toEqual({ key: "name", descending: true });
    expect(nextSort(down, "name")).toEqual(up);
    expect(nextSort(down, "time")).toEqual({ key: "time", descending: false });
  });
  it.each([
    [0, 1, [0]],
    [1, 1, [1]],
    [50, 1, [50]],
    [51, 2, [50, 1]],
    [1_000, 20, Array.from({ length: 20 }, () => 50)],
  ])("[spec 2] %i rows take %i pages of 50", (count, pages, sizes) => {
    expect(pageCount(count, 50)).toBe(pages);
    const cut = sizes.map((_, index) => rowsOfPage(rows(count), index + 1, 50));
    expect(cut.map((page) => page.length)).toEqual(sizes);
    expect(cut.flat()).toEqual(rows(count));
  });
  it("[table] replaces a missing page in the address with an existing one", () => {
    expect([0, -3, 7, 3, 2.5, Number.NaN].map((page) => pageWithin(page, 5))).toEqual([1, 1, 5, 3, 1, 1]);
  });
  it("[table] shows five numbers around the open page", () => {
    expect(numbersAround(1, 20)).toEqual([1, 2, 3, 4, 5]);
    expect(numbersAround(10, 20)).toEqual([8, 9, 10, 11, 12]);
    expect(numbersAround(20, 20)).toEqual([16, 17, 18, 19, 20]);
    expect(numbersAround(2, 3)).toEqual([1, 2, 3]);
    expect(numbersAround(1, 1)).toEqual([1]);
  });
});
