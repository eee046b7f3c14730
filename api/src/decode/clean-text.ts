// PostgreSQL accepts no NUL, and JSON no lone surrogates.
const CONTROL = /\p{Cc}/gu;

/**
 * Return a device's text as a database accepts it: no control characters, complete characters only, at most
 * `max` long.
 */
export function cleanText(raw: string | number, max: number): string {
  return String(raw).slice(0, max).toWellFormed().replace(CONTROL, "");
}
