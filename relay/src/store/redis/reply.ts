/** Readers of Redis's replies: what a script returns is checked like any byte from outside. */

export function asList(reply: unknown): unknown[] {
  if (!Array.isArray(reply)) throw new TypeError(`Redis answered ${typeof reply} in the place of a list.`);
  return reply;
}

export function asText(reply: unknown): string {
  if (typeof reply !== "string")
    throw new TypeError(`Redis answered ${typeof reply} in the place of a text.`);
  return reply;
}

/** Also of a number that is written as text, as hashes and scores are. */
export function asNumber(reply: unknown): number {
  const number = typeof reply === "number" ? reply : Number(asText(reply));
  if (!Number.isFinite(number))
    throw new TypeError(`Redis answered "${String(reply)}" in the place of a number.`);
  return number;
}

/** Pairs of a flat list, as hashes and scored members come. */
export function asPairs(reply: unknown): [string, string][] {
  const list = asList(reply);
  const pairs: [string, string][] = [];
  for (let n = 0; n + 1 < list.length; n += 2) pairs.push([asText(list[n]), asText(list[n + 1])]);
  return pairs;
}
