import { STORE_LIMITS } from "./limits.ts";

/** Parse stored JSON text. Invalid text is undefined, which its reader's schema refuses. */
export function readJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Return an account's settings as stored text. Throws a `RangeError` for more than `settingsBytes`. */
export function settingsText(settings: object): string {
  const text = JSON.stringify(settings);
  if (Buffer.byteLength(text) > STORE_LIMITS.settingsBytes) {
    throw new RangeError(`Settings of an account take ${STORE_LIMITS.settingsBytes} bytes at most.`);
  }
  return text;
}
