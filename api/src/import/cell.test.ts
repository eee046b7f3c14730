import { expect, test } from "vitest";
import { createCellReader } from "./cell.ts";

test("[import] numbers are read as the file writes them, and in no other way", () => {
  const plain = createCellReader({});
  expect(["1.5", " -3 ", "+.5", "2e3", "7."].map(plain)).toEqual([1.5, -3, 0.5, 2000, 7]);
  expect(["1,5", "1.234.5", "1 234", "1e999"].map(plain)).toEqual([false, false, false, false]);
  const comma = createCellReader({ decimal: ",", thousands: "." });
  expect(["1,5", "1.234,5", "-12.345.678", "33"].map(comma)).toEqual([1.5, 1234.5, -12345678, 33]);
  // With a point between thousands, 1.5 is nothing, and 1.50 neither.
  expect(["1.5", "1.50", "1.23,4"].map(comma)).toEqual([false, false, false]);
});

test("[import] what is no number stays the text that it is", () => {
  const read = createCellReader({});
  expect(["", " ", "NULL", "open", "2026-01-01", "-"].map(read)).toEqual([
    "",
    "",
    "NULL",
    "open",
    "2026-01-01",
    "-",
  ]);
});
