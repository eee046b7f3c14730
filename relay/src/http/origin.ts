/**
 * Return true if a browser page may open a connection: it comes from this host, or from a configured origin.
 * A request without `Origin` is no browser's. It has its own token and no credentials that a page could
 * abuse.
 * @param allowed further origins, e.g. `https://farm.example`
 */
export function isOriginAllowed(
  origin: string | undefined,
  host: string | undefined,
  allowed: readonly string[],
): boolean {
  if (origin === undefined) return true;
  if (allowed.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}
