import { type FieldErrors, FieldsError } from "./api-error.ts";

/**
 * Throw all faults at once.
 *
 * @param faults by field: a sentence, or null for a valid field
 * @throws FieldsError
 */
export function refuse(faults: Readonly<Record<string, string | null>>): void {
  const errors: FieldErrors = Object.entries(faults).flatMap(([field, defaultMessage]) =>
    defaultMessage === null ? [] : [{ field, defaultMessage }],
  );
  if (errors.length > 0) throw new FieldsError(errors);
}
