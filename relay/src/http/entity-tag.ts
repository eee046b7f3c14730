import { createHash } from "node:crypto";

/** Return the tag of an answer's text: different texts have different tags (RFC 9110, 8.8.3). */
export function entityTag(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

/** True if an `If-None-Match` contains the tag, strong or weak. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(",")
    .map((one) => one.trim().replace(/^W\//, ""))
    .some((one) => one === tag || one === "*");
}
