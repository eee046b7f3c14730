/** Shorter texts and numbers occur in every account. */
const LEAST = 6;

/** Return the texts of an answer that could identify its account, at any depth: names, addresses, serials. */
export function wordsOf(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value === "string") {
    if (value.length >= LEAST) into.add(value);
  } else if (typeof value === "number") {
    if (String(value).length >= LEAST) into.add(String(value));
  } else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) wordsOf(each, into);
  }
  return into;
}
