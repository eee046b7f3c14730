import { ApiError, notFound } from "./api-error.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INTEGER = /^[1-9]\d{0,8}$/;

/** Parse an id of an account, sensor or controller. An invalid id is unknown, so it is 404. */
export function uuidOf(text: string, what: string): string {
  if (!UUID.test(text)) throw notFound(what);
  return text.toLowerCase();
}

/** Parse an id of a farm, channel or setting. An invalid id is unknown, so it is 404. */
export function integerOf(text: string, what: string): number {
  if (!INTEGER.test(text)) throw notFound(what);
  return Number(text);
}

/** Parse a device's serial. An invalid serial is unknown, so it is 404. */
export function serialOf(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound(what);
  return Number(text);
}

/** Trim a required text. @throws ApiError 422 where it is empty */
export function requiredText(text: string, field: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new ApiError(422, "validation", `${field} is required`, { field });
  return trimmed;
}
