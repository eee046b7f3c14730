import { type FieldErrors, FieldsError } from "./api-error.ts";

/**
 * Throws what is at fault, all at once.
 *
 * @param faults by field: a sentence, or null where it is well
 * @throws FieldsError
 */
export function refuse(faults: Readonly<Record<string, string | null>>): void {
  const errors: FieldErrors = Object.entries(faults).flatMap(([field, defaultMessage]) =>
    defaultMessage === null ? [] : [{ field, defaultMessage }],
  );
  if (errors.length > 0) throw new FieldsError(errors);
}
