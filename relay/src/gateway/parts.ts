/**
 * Join pieces of JSON text by commas into parts of at most `maxBytes` each (SLOW-3). A larger piece forms a
 * part of its own. Parts are created lazily.
 */
export function* gatherParts(texts: Iterable<string>, maxBytes: number): Generator<string, void> {
  let gathered: string[] = [];
  let size = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(text);
    if (gathered.length > 0 && size + bytes + 1 > maxBytes) {
      yield gathered.join(",");
      gathered = [];
      size = 0;
    }
    gathered.push(text);
    size += bytes + 1;
  }
  if (gathered.length > 0) yield gathered.join(",");
}

/** Yield the JSON members of an object one by one: `"key":value`. */
export function* members(values: Iterable<readonly [string, unknown]>): Generator<string, void> {
  for (const [key, value] of values) yield `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/** Yield the JSON items of a list one by one. */
export function* items(values: Iterable<unknown>): Generator<string, void> {
  for (const value of values) yield JSON.stringify(value);
}
