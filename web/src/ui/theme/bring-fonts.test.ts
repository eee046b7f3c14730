import { expect, it } from "vitest";
import { bringFonts, characterOf } from "./bring-fonts.ts";

/** A browser's fonts, as far as they are asked and listened to. */
function createFonts(faces: readonly Pick<FontFace, "family" | "status" | "unicodeRange">[]) {
  const asked: string[] = [];
  let told = (): void => undefined;
  return {
    asked,
    come: () => told(),
    load: async (font: string, text: string) => {
      asked.push(`${font} ${text}`);
      return [];
    },
    addEventListener: (_type: "loadingdone", listener: () => void) => {
      told = listener;
    },
    [Symbol.iterator]: () => faces[Symbol.iterator](),
  };
}

function createStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

const FACES: readonly Pick<FontFace, "family" | "status" | "unicodeRange">[] = [
  { family: '"Pretendard Variable"', status: "loaded", unicodeRange: "U+D723-D728, U+D72A" },
  { family: "Pretendard Variable", status: "loaded", unicodeRange: "U+20-7E" },
  { family: "Pretendard Variable", status: "unloaded", unicodeRange: "U+AC00-AC0A" },
  { family: "Noto Sans SC Variable", status: "error", unicodeRange: "U+4E00-4E8C" },
];

it("[ui] the font files that one visit used are asked for as the next one begins", () => {
  const storage = createStorage();
  const first = createFonts(FACES);
  bringFonts(first, storage);
  expect(first.asked).toEqual([]);
  first.come();
  const second = createFonts([]);
  bringFonts(second, storage);
  expect(second.asked).toEqual(['1rem "Pretendard Variable" \ud723 ']);
});

it("[ui] so many font files are brought ahead at most, whatever the visits before have used", () => {
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
