import { notFound } from "./api-error.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INTEGER = /^[1-9]\d{0,8}$/;

/** An id of an account, sensor or controller; what is none belongs to nothing, so it is 404. */
export function uuidOf(text: string, what: string): string {
  if (!UUID.test(text)) throw notFound(what);
  return text.toLowerCase();
}

/** An id of a farm, channel or setting; what is none belongs to nothing, so it is 404. */
export function integerOf(text: string, what: string): number {
  if (!INTEGER.test(text)) throw notFound(what);
  return Number(text);
}

/** A device's serial; what is none belongs to nothing, so it is 404. */
export function serialOf(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound(what);
  return Number(text);
}
