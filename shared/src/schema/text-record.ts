import { RecordFromPattern, type TRecord, type TSchema } from "typebox";

/** The pattern that TypeBox itself gives a record of texts. */
const ANY_TEXT = "^.*$";

/**
 * An object whose names are any texts. The same as `Type.Record(Type.String(), value)`, which would bring TypeBox's
 * whole engine of computed types into the first load of a browser (8 kB packed), as `Type.Omit` and the like do: one
 * of them in any page's schema is enough.
 */
export const TextRecord = <Value extends TSchema>(
  value: Value,
  options: { readonly maxProperties?: number } = {},
): TRecord<typeof ANY_TEXT, Value> => Object.assign(RecordFromPattern(ANY_TEXT, value), options);
