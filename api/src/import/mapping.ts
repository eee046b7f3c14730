import { type Static, Type } from "typebox";
import { SOURCE_UNITS } from "../uplinks/units.ts";

/** A column by its name in the header, or by its place; the first is 1. */
const Column = Type.Union([Type.String({ maxLength: 300 }), Type.Integer({ minimum: 1, maximum: 10_000 })]);
export type Column = Static<typeof Column>;

/** Values that say that there is none. */
const Missing = Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 64 })]), { maxItems: 16 });

/** How one of our fields comes out of a cell; the steps are taken in this order. */
const FieldRule = Type.Object(
  {
    column: Column,
    /** Beside those of the whole file. */
    missing: Type.Optional(Missing),
    /** Numbers that words stand for. */
    words: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Number())),
    scale: Type.Optional(Type.Number()),
    /** Added after `scale`. */
    offset: Type.Optional(Type.Number()),
    /** Unit of the value by now; without it, it is the field's own. */
    unit: Type.Optional(Type.Union(SOURCE_UNITS.map((unit) => Type.Literal(unit)))),
  },
  { additionalProperties: false },
);
export type FieldRule = Static<typeof FieldRule>;

/** Columns that are one sensor's: of the serial given, or of the one that stands in a column. */
const SensorRule = Type.Object(
  {
    serial: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 })),
    serialColumn: Type.Optional(Column),
    fields: Type.Record(Type.String(), FieldRule, { minProperties: 1 }),
  },
  { additionalProperties: false },
);
export type SensorRule = Static<typeof SensorRule>;

const TimeFormat = Type.String({ minLength: 1, maxLength: 64 });

const TimeRule = Type.Object(
  {
    /** What stands in them is read as one text, with a blank between. */
    columns: Type.Array(Column, { minItems: 1, maxItems: 3 }),
    /** `iso`, `unix-s`, `unix-ms`, or a pattern such as `YYYY-MM-DD HH:mm`; of several the first that fits. */
    format: Type.Union([TimeFormat, Type.Array(TimeFormat, { minItems: 1, maxItems: 4 })]),
    /** Where the clock hung: an IANA name, or an offset such as `-07:00`. */
    zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Which way time runs down the file; ascending where nothing is said. */
    order: Type.Optional(Type.Union([Type.Literal("ascending"), Type.Literal("descending")])),
  },
  { additionalProperties: false },
);
export type TimeRule = Static<typeof TimeRule>;

/** What a CSV file means: a mapping file's content. */
export const Mapping = Type.Object(
  {
    encoding: Type.Optional(
      Type.Union([Type.Literal("utf-8"), Type.Literal("cp949"), Type.Literal("utf-16le")]),
    ),
    /** Between cells; a comma where nothing is said. */
    delimiter: Type.Optional(Type.String({ pattern: '^[^"\\r\\n]$' })),
    /** Around cells that hold delimiters, doubled inside. */
    quote: Type.Optional(Type.Union([Type.Literal('"'), Type.Literal("'"), Type.Literal("none")])),
    decimal: Type.Optional(Type.Union([Type.Literal("."), Type.Literal(",")])),
    /** Between groups of three digits. */
    thousands: Type.Optional(
      Type.Union([Type.Literal(","), Type.Literal("."), Type.Literal(" "), Type.Literal("'")]),
    ),
    /** Lines above the header. */
    skipLines: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    /** False where the first row holds values; columns are then told by their place. */
    header: Type.Optional(Type.Boolean()),
    /** Rows that are no measurements. */
    ignore: Type.Optional(
      Type.Object(
        {
          /** At the end of the file. */
          lastRows: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
          /** Whose first cell begins so. */
          startingWith: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 16 }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    time: TimeRule,
    /** In any column that a field comes from. */
    missing: Type.Optional(Missing),
    sensors: Type.Array(SensorRule, { minItems: 1, maxItems: 64 }),
  },
  { additionalProperties: false },
);
export type Mapping = Static<typeof Mapping>;

/** Bytes of a mapping file. */
export const MAX_MAPPING_BYTES = 64 * 1024;
