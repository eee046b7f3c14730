/**
 * Gathers pieces of JSON text, joined by commas, into parts of at most `maxBytes` each (SLOW-3). A piece that is
 * larger by itself makes a part of its own. Lazy: a part is made when it is asked for.
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

/** JSON members of an object, one by one: `"key":value`. */
export function* members(values: Iterable<readonly [string, unknown]>): Generator<string, void> {
  for (const [key, value] of values) yield `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/** JSON items of a list, one by one. */
export function* items(values: Iterable<unknown>): Generator<string, void> {
  for (const value of values) yield JSON.stringify(value);
}
