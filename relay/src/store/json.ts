/** Parse stored JSON text. Invalid text is undefined, which its reader's schema refuses. */
export function readJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
