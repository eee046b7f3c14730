import fc from "fast-check";
import { expect, it } from "vitest";
import { numberOfText } from "./number-text.ts";

it("[NUM-1] reads back each number that JavaScript or JSON writes", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(numberOfText(String(number)) ?? Number.NaN).toBe(Number(String(number)));
      expect(numberOfText(` ${number.toExponential()} `)).toBe(Number(number.toExponential()));
    }),
  );
});

it.each([
  ["31", 31],
  [" -5.2 ", -5.2],
  ["+7", 7],
  ["007", 7],
  [".5", 0.5],
  ["7.", 7],
  ["1e1", 10],
  ["1.00E+03", 1000],
])("[NUM-1] reads %o as %o", (text, number) => {
  expect(numberOfText(text)).toBe(number);
});

it.each([
  "",
  " ",
  ".",
  "+",
  "-",
  "e5",
  "1e",
  "1e999",
  "0x1F",
  "0X1f",
  "0b11",
  "0o17",
  "1_000",
  "1n",
  "1 000",
  "23,4",
  "1.234.5",
  "30 %",
  "23.4 C",
  "--5",
  "+-5",
  "Infinity",
  "-Infinity",
  "NaN",
  "true",
  "null",
  "−5.2",
  "３０",
  "٣٠",
  "1\n2",
  "½",
])("[NUM-1] refuses the form %o", (text) => {
  expect(numberOfText(text)).toBeNull();
});
