/** Font families split into many files by character range. */
const FAMILIES = ["Pretendard Variable", "Noto Sans SC Variable"] as const;

/** Maximum number of preloaded files per family: a page of Korean names needs about ten. */
const FILES_AT_MOST = 24;

const keyOf = (family: string): string => `mulkko.glyphs.${family}`;

/** Return a character of a face's range, such as "U+AC00-AC0A, U+B2E4"; null for an unreadable range. */
export function characterOf(unicodeRange: string): string | null {
  const code = /^U\+([0-9A-F]{1,6})(?![0-9A-F?])/i.exec(unicodeRange)?.[1];
  const point = code === undefined ? Number.NaN : Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : null;
}

/** A browser's fonts, `document.fonts`, reduced to the methods in use. */
export interface Fonts extends Iterable<Pick<FontFace, "family" | "status" | "unicodeRange">> {
  load(font: string, text: string): Promise<unknown>;
  addEventListener(type: "loadingdone", listener: () => void): void;
}

/** Some browsers return the family with the quotes of its rule. */
const isOf = (family: string, face: Pick<FontFace, "family">): boolean =>
  face.family.replace(/["']/g, "") === family;

const loadedOf = (fonts: Fonts, family: string): string =>
  [...fonts]
    .filter((face) => face.status === "loaded" && isOf(family, face))
    .flatMap(({ unicodeRange }) => characterOf(unicodeRange) ?? [])
    .slice(0, FILES_AT_MOST)
    .join("");

/**
 * Load the font files of the last visit before the first render. Otherwise the browser discovers them during
 * layout in a fallback font and lays out twice per visit, although they are cached.
 */
export function bringFonts(fonts: Fonts, storage: Pick<Storage, "getItem" | "setItem">): void {
  for (const family of FAMILIES) {
    const characters = storage.getItem(keyOf(family));
    // A file that fails to load is replaced by the system's font, as on a first visit.
    if (characters) fonts.load(`1rem "${family}"`, characters).catch(() => undefined);
  }
  fonts.addEventListener("loadingdone", () => {
    for (const family of FAMILIES) {
      const characters = loadedOf(fonts, family);
      if (characters !== "") storage.setItem(keyOf(family), characters);
    }
  });
}
