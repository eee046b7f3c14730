import { createHash } from "node:crypto";

/** A script that Redis runs as one step, identified by the hash of its text. */
export interface Script {
  readonly name: string;
  readonly source: string;
  readonly sha: string;
}

export function script(name: string, source: string): Script {
  return { name, source, sha: createHash("sha1").update(source).digest("hex") };
}

/** Readers of Redis replies: a script's answer is checked like any byte from outside. */

export function asList(reply: unknown): unknown[] {
  if (!Array.isArray(reply)) throw new TypeError(`Redis answered ${typeof reply} instead of a list.`);
  return reply;
}

export function asText(reply: unknown): string {
  if (typeof reply !== "string") throw new TypeError(`Redis answered ${typeof reply} instead of a text.`);
  return reply;
}

/** Return a number, also one written as text, as in hashes and scores. */
export function asNumber(reply: unknown): number {
  const number = typeof reply === "number" ? reply : Number(asText(reply));
  if (!Number.isFinite(number)) throw new TypeError(`Redis answered "${String(reply)}" instead of a number.`);
  return number;
}

/** Return the pairs of a flat list, as in hashes and scored members. */
export function asPairs(reply: unknown): [string, string][] {
  const list = asList(reply);
  const pairs: [string, string][] = [];
  for (let n = 0; n + 1 < list.length; n += 2) pairs.push([asText(list[n]), asText(list[n + 1])]);
  return pairs;
}
