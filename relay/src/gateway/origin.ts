/**
 * True if a browser page may open a connection: it comes from this very host, or from an origin that is named. A
 * request without `Origin` is no browser's; it brings a token of its own and nothing that a page could ride on.
 *
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
