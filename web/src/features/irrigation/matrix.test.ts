import { describe, expect, it } from "vitest";
import type { FarmUnit } from "./farm-list.ts";
import { firstPlace, matrixOf, moveTo } from "./matrix.ts";

const unit = (id: string, ...numbers: number[]): FarmUnit => ({
  id,
  form: "controller",
  name: id,
  serial: "1",
  type: "CON04V",
  channels: numbers.map((number) => ({ id: `${id}${number}`, name: id, number })),
});

describe("matrix", () => {
  it("[matrix] has as many columns as the unit with the most channels, and leaves gaps empty", () => {
    const { columns, rows } = matrixOf([unit("a", 1, 3), unit("b", 2)]);
    expect(columns).toEqual([1, 2, 3]);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["a1", null, "a3"],
      [null, "b2", null],
    ]);
  });

  it("[matrix] shows one channel as one column, and units without channels as rows without cells", () => {
    expect(matrixOf([unit("a", 1)]).columns).toEqual([1]);
    expect(matrixOf([unit("a")])).toMatchObject({ columns: [], rows: [{ cells: [] }] });
    expect(matrixOf([]).columns).toEqual([]);
  });

  it("[matrix] does not fill the page with columns for an impossible channel number", () => {
    expect(matrixOf([unit("a", 2, 4_000)]).columns).toEqual([1, 2, 4_000]);
  });

  it("[matrix] moves by arrow keys from channel to channel across gaps, and stops at the edge", () => {
    const matrix = matrixOf([unit("a", 1, 3), unit("none"), unit("b", 2, 4)]);
    expect(moveTo(matrix, { row: 0, column: 0 }, "ArrowRight")).toEqual({ row: 0, column: 2 });
    expect(moveTo(matrix, { row: 0, column: 2 }, "ArrowRight")).toEqual({ row: 0, column: 2 });
    expect(moveTo(matrix, { row: 0, column: 2 }, "ArrowLeft")).toEqual({ row: 0, column: 0 });
    expect(moveTo(matrix, { row: 0, column: 2 }, "Home")).toEqual({ row: 0, column: 0 });
    expect(moveTo(matrix, { row: 2, column: 1 }, "End")).toEqual({ row: 2, column: 3 });
    expect(moveTo(matrix, { row: 0, column: 0 }, "Tab")).toEqual({ row: 0, column: 0 });
  });

  it("[matrix] moves up and down to the nearest channel of the next unit with channels", () => {
    const matrix = matrixOf([unit("a", 1, 3), unit("none"), unit("b", 2, 4)]);
    expect(moveTo(matrix, { row: 0, column: 2 }, "ArrowDown")).toEqual({ row: 2, column: 1 });
    expect(moveTo(matrix, { row: 2, column: 3 }, "ArrowUp")).toEqual({ row: 0, column: 2 });
    expect(moveTo(matrix, { row: 0, column: 0 }, "ArrowUp")).toEqual({ row: 0, column: 0 });
  });

  it("[matrix] starts at the first existing channel", () => {
    expect(firstPlace(matrixOf([unit("none"), unit("a", 2)]))).toEqual({ row: 1, column: 1 });
    expect(firstPlace(matrixOf([unit("none")]))).toBeNull();
  });
});
