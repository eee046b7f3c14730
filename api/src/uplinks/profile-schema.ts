import { type Static, Type } from "typebox";
import { SOURCE_UNITS } from "./units.ts";

const PathText = Type.String({ minLength: 1, maxLength: 128 });
const Line = Type.String({ minLength: 1, maxLength: 300 });

/** How one of our fields comes out of a decoded object; the steps are taken in this order. */
const FieldRule = Type.Object(
  {
    /** `a.b`, `list[0].b` or `list[name=value].b` */
    path: PathText,
    /** Values that say that there is none. */
    missing: Type.Optional(
      Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 64 })]), { maxItems: 16 }),
    ),
    /** Numbers that words stand for. */
    words: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Number())),
    /** The number at this path divides the value, as a count by its time. */
    dividedBy: Type.Optional(PathText),
    scale: Type.Optional(Type.Number()),
    /** Added after `scale`. */
    offset: Type.Optional(Type.Number()),
    /** Points of a line from what is measured to what is meant, rising; beyond its ends the end counts. */
    table: Type.Optional(
      Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { minItems: 2, maxItems: 32 }),
    ),
    /** Unit of the value by now; without it, it is the field's own. */
    unit: Type.Optional(Type.Union(SOURCE_UNITS.map((unit) => Type.Literal(unit)))),
  },
  { additionalProperties: false },
);
export type FieldRule = Static<typeof FieldRule>;

/** A device profile as its JSON file holds it. */
export const ProfileFile = Type.Object(
  {
    /** As the file is named, without `.json`. */
    name: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }),
    maker: Line,
    model: Line,
    /** The codec whose output is read. */
    source: Type.String({ pattern: "^https://", maxLength: 300 }),
    licence: Line,
    /** What somebody who uses it has to know. */
    notes: Type.Optional(Line),
    /** Device types that it is made for. */
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
