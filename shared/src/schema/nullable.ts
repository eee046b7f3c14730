import { type TNull, type TSchema, type TUnion, Type } from "typebox";

/** A schema or JSON null: how the API says "nothing here". */
export function Nullable<S extends TSchema>(schema: S): TUnion<[S, TNull]> {
  return Type.Union([schema, Type.Null()]);
}
