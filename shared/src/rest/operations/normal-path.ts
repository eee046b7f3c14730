/** Characters of a path's part: those of RFC 3986 without `;`, which some servers cut off, and escapes. */
const PART = /^(?:[\w.~!$&'()*+,=:@-]|%[\da-f]{2})+$/i;
/** Escapes of characters that need none. */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;
/** Characters that some servers read as the end of a part or of the path, and escapes of escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const SEPARATORS = /[/\\;\u0000-\u001f\u007f]|%[\da-f]{2}/i;

/** Return a part of a path decoded; null if its spelling is not the only one. */
function decodedPart(part: string): string | null {
  if (!PART.test(part) || NEEDLESS.test(part)) return null;
  try {
    const decoded = decodeURIComponent(part);
    const plain = decoded.normalize("NFKC");
    // Many servers cut blanks around a part.
    const isOdd = SEPARATORS.test(plain) || /^\.+$/.test(plain) || decoded !== decoded.trim();
    return isOdd ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * Return the decoded parts of the path in a request's target; null unless the path is in normal form. That is
 * the only spelling that no server on the way reads as another path: absolute, without empty parts, `.`, `..`,
 * `\`, `;`, `#` or a slash at the end, and with escapes only where they are needed.
 */
export function partsOf(target: string): readonly string[] | null {
  if (!target.startsWith("/") || target.includes("#")) return null;
  const parts: string[] = [];
  for (const part of pathIn(target).slice(1).split("/")) {
    const decoded = decodedPart(part);
    if (decoded === null) return null;
    parts.push(decoded);
  }
  return parts;
}

/** Return the path of a request's target, without its query. */
const pathIn = (target: string): string => target.split("?", 1)[0] ?? "";

/** Number of times that a path may be decoded on its way. */
const DECODED_AT_MOST = 3;

/**
 * Return the path that the most tolerant server reads in a target: decoded repeatedly, `\` as a slash, empty
 * and dot parts resolved, in small letters.
 */
export function mostTolerantReading(target: string): string {
  let text = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/\\]*/i, "");
  for (let count = 0; count < DECODED_AT_MOST; count += 1) {
    text = text.replace(/%([\da-f]{2})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const path: string[] = [];
  for (const part of (text.split(/[?#]/, 1)[0] ?? "").replaceAll("\\", "/").split("/")) {
    if (part === "..") path.pop();
    else if (part !== "" && part !== ".") path.push(part.toLowerCase());
  }
  return `/${path.join("/")}`;
}
