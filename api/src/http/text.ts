import { ApiError } from "./api-error.ts";

/** A required text without the blanks around it. @throws ApiError 422 where nothing is left */
export function requiredText(text: string, field: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new ApiError(422, "validation", `${field} is required`, { field });
  return trimmed;
}
