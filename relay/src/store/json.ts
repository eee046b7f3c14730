/** Reads JSON text as it was stored; what is none is undefined, and its reader's schema refuses it. */
export function readJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
