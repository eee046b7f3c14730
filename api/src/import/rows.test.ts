import { expect, test } from "vitest";
import { readFields } from "../decode/fields.ts";
import { createCellReader } from "./rows.ts";

test("[import] reads numbers in the file's format, and in no other", () => {
  const plain = createCellReader({});
  expect(["1.5", " -3 ", "+.5", "2e3", "7."].map(plain)).toEqual([1.5, -3, 0.5, 2000, 7]);
  expect(["1,5", "1.234.5", "1 234", "1e999"].map(plain)).toEqual([false, false, false, false]);
  const comma = createCellReader({ decimal: ",", thousands: "." });
  expect(["1,5", "1.234,5", "-12.345.678", "33"].map(comma)).toEqual([1.5, 1234.5, -12345678, 33]);
  // With a point between thousands, neither 1.5 nor 1.50 is valid.
  expect(["1.5", "1.50", "1.23,4"].map(comma)).toEqual([false, false, false]);
});

test("[import] keeps other text unchanged", () => {
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

test.each(["0x1F", "0b11", "1_000", "30 %", "23.4 C", "--3", "1e", "３０"])(
  "[NUM-1] refuses the cell %o, a number in another form",
  (cell) => {
    for (const format of [{}, { decimal: "," }, { thousands: "," }] as const) {
      const { fields, faults } = readFields("SMS", { moisture: createCellReader(format)(cell) });
      expect({ fields, faults }).toEqual({
        fields: {},
        faults: [{ field: "moisture", reason: "wrong-type" }],
      });
    }
  },
);
