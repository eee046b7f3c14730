import type { FieldName } from "@mulkko/shared/catalogue/fields";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type HourColumns,
  type HourOfDay,
  hourColumns,
  packDay,
  packedPartsOf,
  unpackField,
  unpackRows,
} from "./packed-day.ts";

const NAMES = ["windD", "temperature", "n", "rain"] as const satisfies readonly FieldName[];

const number = fc.oneof(
  fc.integer({ min: -4_000, max: 4_000 }).map((value) => value / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => value + 0),
);
const field = (name: FieldName) =>
  fc
    .record({
      count: fc.integer({ min: 1, max: 3_600 }),
      sum: number,
      min: number,
      max: number,
      last: number,
      spread: number,
      cos: number,
      sin: number,
    })
    .map(({ cos, sin, ...rest }) =>
      name === "windD" ? { ...rest, cos, sin } : { ...rest, cos: null, sin: null },
    );

const day: fc.Arbitrary<HourOfDay[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 23 }), { maxLength: 24 })
  .chain((hours) =>
    fc.tuple(
      ...hours
        .toSorted((a, b) => a - b)
        .map((hour) =>
          fc
            .record({
              rows: fc.integer({ min: 1, max: 3_600 }),
              fields: fc.tuple(...NAMES.map((name) => fc.option(field(name), { nil: undefined }))),
            })
            .map(({ rows, fields }) => ({
              hour,
              rows,
              fields: new Map(
                NAMES.flatMap((name, place) => {
                  const known = fields[place];
                  return known ? [[name, known] as const] : [];
                }),
              ),
            })),
        ),
    ),
  );

const numbersOf = ({ columns, length }: HourColumns, place: number): number[] =>
  [...(columns[place] ?? [])].slice(0, length);

test("[history] a packed day returns each hour of each field unchanged, in reused columns", () => {
  const columns = hourColumns();
  fc.assert(
    fc.property(day, (hours) => {
      const text = packDay(hours);
      expect(text).not.toMatch(/[,"\\\s]/);
      unpackRows(text, columns);
      expect([...columns.hours.subarray(0, columns.length)]).toEqual(hours.map(({ hour }) => hour));
      expect(numbersOf(columns, 0)).toEqual(hours.map(({ rows }) => rows));
      for (const name of NAMES) {
        unpackField(text, name, columns);
        const own = hours.flatMap(({ hour, fields }) => {
          const known = fields.get(name);
          return known ? [{ hour, known }] : [];
        });
        expect([...columns.hours.subarray(0, columns.length)]).toEqual(own.map(({ hour }) => hour));
        for (const [place, part] of packedPartsOf(name).entries()) {
          const found = numbersOf(columns, place);
          expect(found.map((value) => value + 0)).toEqual(own.map(({ known }) => (known[part] ?? 0) + 0));
        }
      }
      unpackField(text, "moisture", columns);
      expect(columns.length).toBe(0);
    }),
  );
});

test("[history] packs a day without hours too, so that it is not checked again", () => {
  const columns = hourColumns();
  unpackRows(packDay([]), columns);
  expect(columns.length).toBe(0);
  expect(packDay([])).not.toBe("");
});
