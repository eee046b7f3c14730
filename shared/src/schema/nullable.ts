import { type TNull, type TSchema, type TUnion, Type } from "typebox";

/** Return a schema or JSON null, the API's form of "no value". */
export function Nullable<S extends TSchema>(schema: S): TUnion<[S, TNull]> {
  return Type.Union([schema, Type.Null()]);
}
