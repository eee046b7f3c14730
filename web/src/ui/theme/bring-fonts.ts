/** Faces that come as many small files, each with the characters of a range. */
const FAMILIES = ["Pretendard Variable", "Noto Sans SC Variable"] as const;

/** Files of one family that are brought ahead, at most: a page of Korean names needs about ten. */
const FILES_AT_MOST = 24;

const keyOf = (family: string): string => `mulkko.glyphs.${family}`;

/** A character of a face's range, such as "U+AC00-AC0A, U+B2E4"; null for a range that cannot be read. */
export function characterOf(unicodeRange: string): string | null {
  const code = /^U\+([0-9A-F]{1,6})(?![0-9A-F?])/i.exec(unicodeRange)?.[1];
  const point = code === undefined ? Number.NaN : Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : null;
}

/** A browser's fonts, `document.fonts`, as far as they are used here. */
export interface Fonts extends Iterable<Pick<FontFace, "family" | "status" | "unicodeRange">> {
  load(font: string, text: string): Promise<unknown>;
  addEventListener(type: "loadingdone", listener: () => void): void;
}

/** Browsers name a face as its rule does, some of them with its quotes. */
const isOf = (family: string, face: Pick<FontFace, "family">): boolean =>
  face.family.replace(/["']/g, "") === family;

const loadedOf = (fonts: Fonts, family: string): string =>
  [...fonts]
    .filter((face) => face.status === "loaded" && isOf(family, face))
    .flatMap(({ unicodeRange }) => characterOf(unicodeRange) ?? [])
    .slice(0, FILES_AT_MOST)
    .join("");

/**
 * Asks for the font files that the last visit used before anything is drawn. Left to itself a browser learns which
 * ones a page needs when it lays the page out, in another face, and lays it out again as they come: twice on every
 * visit, although they are kept.
 */
export function bringFonts(fonts: Fonts, storage: Pick<Storage, "getItem" | "setItem">): void {
  for (const family of FAMILIES) {
    const characters = storage.getItem(keyOf(family));
    // What does not come is drawn in the system's face, as on a first visit.
    if (characters) fonts.load(`1rem "${family}"`, characters).catch(() => undefined);
  }
  fonts.addEventListener("loadingdone", () => {
    for (const family of FAMILIES) {
      const characters = loadedOf(fonts, family);
      if (characters !== "") storage.setItem(keyOf(family), characters);
    }
  });
}
