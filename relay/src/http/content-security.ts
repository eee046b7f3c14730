import { createHash } from "node:crypto";

/** Return `'sha256-…'` of every inline script of a page, in order. Scripts with `src` are skipped. */
export function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi);
  return [...scripts].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}

/**
 * Return the content security policy of the client. Emotion writes styles into the page, maps draw in
 * workers made from blobs, and everything else comes from this origin.
 *
 * @param scriptHashes of the inline scripts that may run
 * @param mapOrigins origins of the installation's own map; none for the embedded one
 */
export function contentSecurityPolicy(
  scriptHashes: readonly string[],
  mapOrigins: readonly string[] = [],
): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scriptHashes].join(" "),
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...mapOrigins].join(" "),
    ...(mapOrigins.length === 0 ? [] : [["connect-src 'self'", ...mapOrigins].join(" ")]),
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join("; ");
}
