import { type Static, Type } from "typebox";
import { SOURCE_UNITS } from "./units.ts";

const PathText = Type.String({ minLength: 1, maxLength: 128 });
const Line = Type.String({ minLength: 1, maxLength: 300 });

/** Conversion of a decoded object into one of our fields; the steps apply in this order. */
const FieldRule = Type.Object(
  {
    /** A path: `a.b`, `list[0].b` or `list[name=value].b`. */
    path: PathText,
    /** Values that mean "no value". */
    missing: Type.Optional(
      Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 64 })]), { maxItems: 16 }),
    ),
    /** Numbers for words. */
    words: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Number())),
    /** The value is divided by the number at this path, e.g. a count by its time. */
    dividedBy: Type.Optional(PathText),
    scale: Type.Optional(Type.Number()),
    /** Added after `scale`. */
    offset: Type.Optional(Type.Number()),
    /**
     * Points of a line from the raw to the true value, ascending; beyond its ends the end's value applies.
     */
    table: Type.Optional(
      Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { minItems: 2, maxItems: 32 }),
    ),
    /** Unit of the converted value; without it, the field's own unit. */
    unit: Type.Optional(Type.Union(SOURCE_UNITS.map((unit) => Type.Literal(unit)))),
  },
  { additionalProperties: false },
);
export type FieldRule = Static<typeof FieldRule>;

/** A device profile as in its JSON file. */
export const ProfileFile = Type.Object(
  {
    /** Name of the file, without `.json`. */
    name: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }),
    maker: Line,
    model: Line,
    /** The codec that produces the input. */
    source: Type.String({ pattern: "^https://", maxLength: 300 }),
    licence: Line,
    /** Notes for users of the profile. */
    notes: Type.Optional(Line),
    /** Supported device types. */
    deviceTypes: Type.Array(Type.String(), { minItems: 1, maxItems: 16 }),
    fields: Type.Record(Type.String(), FieldRule, { minProperties: 1 }),
    /** A list of earlier measurements in the same frame, each with the fields above and its own time. */
    history: Type.Optional(
      Type.Object(
        {
          path: PathText,
          at: Type.Object(
            {
              path: PathText,
              format: Type.Union([Type.Literal("unix-s"), Type.Literal("unix-ms"), Type.Literal("iso")]),
            },
            { additionalProperties: false },
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ProfileFile = Static<typeof ProfileFile>;
