import { RecordFromPattern, type TRecord, type TSchema } from "typebox";

/** The pattern that TypeBox itself gives a record of texts. */
const ANY_TEXT = "^.*$";

/**
 * An object with any names. The same as `Type.Record(Type.String(), value)`, which would add TypeBox's whole
 * engine of computed types to a browser's first load (8 kB packed). `Type.Omit` and similar types do the
 * same: one of them in any page's schema is enough.
 */
export const TextRecord = <Value extends TSchema>(
  value: Value,
  options: { readonly maxProperties?: number } = {},
): TRecord<typeof ANY_TEXT, Value> => Object.assign(RecordFromPattern(ANY_TEXT, value), options);
