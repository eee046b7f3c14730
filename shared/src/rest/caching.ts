/**
 * `Cache-Control` of an answer without one: a read is private and revalidated each time; the answer of a
 * write may carry a token.
 */
export const cachingOf = (method: string): string =>
  method === "GET" || method === "HEAD" ? "private, no-cache" : "no-store";
