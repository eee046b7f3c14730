// PostgreSQL takes no NUL, and JSON no halves of characters.
const CONTROL = /\p{Cc}/gu;

/** Text of a device as a database takes it: no control characters, whole characters only, at most `max` long. */
export function cleanText(raw: string | number, max: number): string {
  return String(raw).slice(0, max).toWellFormed().replace(CONTROL, "");
}
