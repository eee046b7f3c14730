import { ApiError } from "../../api/errors.ts";

/** Return true if a deletion was refused because no administrator would be left. @param code the error's */
export const isLastAdministrator = (code: string): boolean => code === "conflict";

/**
 * Attach a refusal that names no field to the field that would remove the last administrator. Other errors
 * stay unchanged. @param field the one that removes the role; null if none does
 */
export function withRole(error: unknown, field: string | null): unknown {
  if (field === null || !(error instanceof ApiError) || error.status !== 409 || error.fields.length > 0) {
    return error;
  }
  const errors = [{ field, defaultMessage: error.message }];
  return new ApiError(error.status, { code: error.code, message: error.message, errors }, null);
}
