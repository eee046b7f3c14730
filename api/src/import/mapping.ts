import { type Static, Type } from "typebox";
import { SOURCE_UNITS } from "../ingest/lorawan/units.ts";

/** A column by its name in the header, or by its position; the first is 1. */
const Column = Type.Union([Type.String({ maxLength: 300 }), Type.Integer({ minimum: 1, maximum: 10_000 })]);
export type Column = Static<typeof Column>;

/** Values that mean "no value". */
const Missing = Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 64 })]), { maxItems: 16 });

/** Conversion of a cell into one of our fields; the steps apply in this order. */
const FieldRule = Type.Object(
  {
    column: Column,
    /** In addition to those of the whole file. */
    missing: Type.Optional(Missing),
    /** Numbers for words. */
    words: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Number())),
    scale: Type.Optional(Type.Number()),
    /** Added after `scale`. */
    offset: Type.Optional(Type.Number()),
    /** Unit of the converted value; without it, the field's own unit. */
    unit: Type.Optional(Type.Union(SOURCE_UNITS.map((unit) => Type.Literal(unit)))),
  },
  { additionalProperties: false },
);
export type FieldRule = Static<typeof FieldRule>;

/** Columns of one sensor: with a given serial, or with the serial in a column. */
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
    /** Their texts are joined by a space. */
    columns: Type.Array(Column, { minItems: 1, maxItems: 3 }),
    /**
     * `iso`, `unix-s`, `unix-ms`, or a pattern such as `YYYY-MM-DD HH:mm`; of several the first that fits.
     */
    format: Type.Union([TimeFormat, Type.Array(TimeFormat, { minItems: 1, maxItems: 4 })]),
    /** Zone of the times: an IANA name, or an offset such as `-07:00`. */
    zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Order of time in the file; ascending by default. */
    order: Type.Optional(Type.Union([Type.Literal("ascending"), Type.Literal("descending")])),
  },
  { additionalProperties: false },
);
export type TimeRule = Static<typeof TimeRule>;

/** Content of a mapping file: the meaning of a CSV file. */
export const Mapping = Type.Object(
  {
    encoding: Type.Optional(
      Type.Union([Type.Literal("utf-8"), Type.Literal("cp949"), Type.Literal("utf-16le")]),
    ),
    /** Separator of cells; a comma by default. */
    delimiter: Type.Optional(Type.String({ pattern: '^[^"\\r\\n]$' })),
    /** Quote around cells with delimiters, doubled inside. */
    quote: Type.Optional(Type.Union([Type.Literal('"'), Type.Literal("'"), Type.Literal("none")])),
    decimal: Type.Optional(Type.Union([Type.Literal("."), Type.Literal(",")])),
    /** Separator of groups of three digits. */
    thousands: Type.Optional(
      Type.Union([Type.Literal(","), Type.Literal("."), Type.Literal(" "), Type.Literal("'")]),
    ),
    /** Lines above the header. */
    skipLines: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    /** False where the first row has values; columns are then given by position. */
    header: Type.Optional(Type.Boolean()),
    /** Rows without measurements. */
    ignore: Type.Optional(
      Type.Object(
        {
          /** Number of rows at the end of the file. */
          lastRows: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
          /** Rows whose first cell begins with one of these. */
          startingWith: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 16 }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    time: TimeRule,
    /** Applies to every mapped column. */
    missing: Type.Optional(Missing),
    sensors: Type.Array(SensorRule, { minItems: 1, maxItems: 64 }),
  },
  { additionalProperties: false },
);
export type Mapping = Static<typeof Mapping>;

/** Most bytes of a mapping file. */
export const MAX_MAPPING_BYTES = 64 * 1024;

/** An invalid file or mapping; the message is a sentence for the administrator. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The invalid part. */
  readonly field: "file" | "mapping";

  constructor(field: "file" | "mapping", sentence: string) {
    super(sentence);
    this.field = field;
  }
}
