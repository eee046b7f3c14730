import "pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css";

/** Loads the Chinese face, which is large and which only Chinese pages need: Pretendard has none of its glyphs. */
export async function loadFontsFor(language: string): Promise<void> {
  if (language === "zh") await import("@fontsource-variable/noto-sans-sc/wght.css");
}
