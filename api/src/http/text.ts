import { ApiError } from "./api-error.ts";

/** Trim a required text. @throws ApiError 422 where it is empty */
export function requiredText(text: string, field: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new ApiError(422, "validation", `${field} is required`, { field });
  return trimmed;
}
