/** Reads a column that holds JSON text; what is no JSON is undefined, and its reader's schema refuses it. */
export function readJson(column: unknown): unknown {
  if (typeof column !== "string") return undefined;
  try {
    return JSON.parse(column);
  } catch {
    return undefined;
  }
}
