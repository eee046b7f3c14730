import { ApiError } from "../../rest/errors.ts";

/** Whether a "no" to a deletion says that nobody would be left to administer. @param code the error's */
export const isLastAdministrator = (code: string): boolean => code === "conflict";

/**
 * A "no" that names no field, to a change that would leave nobody to administer, is told at the field that asks for
 * it; everything else stays what it is. @param field the one that takes the standing away; null where none does
 */
export function atStanding(error: unknown, field: string | null): unknown {
  if (field === null || !(error instanceof ApiError) || error.status !== 409 || error.fields.length > 0) {
    return error;
  }
  const errors = [{ field, defaultMessage: error.message }];
  return new ApiError(error.status, { code: error.code, message: error.message, errors }, null);
}
