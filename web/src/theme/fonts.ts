import "pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css";

/** Load the large Chinese font for Chinese pages only: Pretendard has none of its glyphs. */
export async function loadFontsFor(language: string): Promise<void> {
  if (language === "zh") await import("@fontsource-variable/noto-sans-sc/wght.css");
}
