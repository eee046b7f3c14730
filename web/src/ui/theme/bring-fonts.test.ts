import { expect, it } from "vitest";
import { bringFonts, characterOf } from "./bring-fonts.ts";

/** Fake of a browser's fonts, reduced to the methods in use. */
function createFonts(faces: readonly Pick<FontFace, "family" | "status" | "unicodeRange">[]) {
  const asked: string[] = [];
  let notify = (): void => undefined;
  return {
    asked,
    come: () => notify(),
    load: async (font: string, text: string) => {
      asked.push(`${font} ${text}`);
      return [];
    },
    addEventListener: (_type: "loadingdone", listener: () => void) => {
      notify = listener;
    },
    [Symbol.iterator]: () => faces[Symbol.iterator](),
  };
}

function createStorage() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}

const FACES: readonly Pick<FontFace, "family" | "status" | "unicodeRange">[] = [
  { family: '"Pretendard Variable"', status: "loaded", unicodeRange: "U+D723-D728, U+D72A" },
  { family: "Pretendard Variable", status: "loaded", unicodeRange: "U+20-7E" },
  { family: "Pretendard Variable", status: "unloaded", unicodeRange: "U+AC00-AC0A" },
  { family: "Noto Sans SC Variable", status: "error", unicodeRange: "U+4E00-4E8C" },
];

it("[ui] loads the font files of the previous visit at the start", () => {
  const storage = createStorage();
  const first = createFonts(FACES);
  bringFonts(first, storage);
  expect(first.asked).toEqual([]);
  first.come();
  const second = createFonts([]);
  bringFonts(second, storage);
  expect(second.asked).toEqual(['1rem "Pretendard Variable" \ud723 ']);
});

it("[ui] limits the number of preloaded font files", () => {
  const storage = createStorage();
  const fonts = createFonts(
    Array.from({ length: 90 }, (_, n) => ({
      family: "Pretendard Variable",
      status: "loaded" as const,
      unicodeRange: `U+${(0xac00 + n).toString(16)}`,
    })),
  );
  bringFonts(fonts, storage);
  fonts.come();
  expect(storage.getItem("mulkko.glyphs.Pretendard Variable")).toHaveLength(24);
});

it.each([
  ["U+AC00-AC0A, U+B2E4", "가"],
  ["U+20-7E", " "],
  ["u+1F600", "\u{1f600}"],
  ["U+4??", null],
  ["", null],
  ["U+FFFFFF", null],
])("[ui] a character of the range %j is %j", (range, character) => {
  expect(characterOf(range)).toBe(character);
});
