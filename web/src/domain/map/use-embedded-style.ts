import type { StyleSpecification } from "maplibre-gl";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { languageOf } from "../../i18n/language.ts";
import { useColorMode } from "../../theme/color-mode.ts";
import koreaUrl from "./basemap/korea.geojson?url";
import noticeUrl from "./basemap/NOTICE.txt?url";
import worldUrl from "./basemap/world.geojson?url";
import { basemapText, embeddedStyle } from "./embedded-style.ts";
import { mapColors } from "./map-colors.ts";

/** Font families of the page (`fonts.body`), unquoted. The Chinese font loads with that language. */
const FONTS = ["Pretendard Variable", "Noto Sans SC Variable", "system-ui"] as const;

/** Maximum wait for fonts, ms: a map with another font is better than one without labels. */
const FONTS_WITHIN_MS = 4_000;

// MapLibre's worker requests the files and cannot resolve a path relative to the page.
const absolute = (path: string): string => new URL(path, location.href).href;

/** Load the parts of the page's fonts that a text needs; a canvas does not wait for them. */
async function loadFonts(text: string, signal: AbortSignal): Promise<void> {
  const late = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FONTS_WITHIN_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
  const loads = FONTS.slice(0, 2).map((family) => document.fonts.load(`48px "${family}"`, text));
  await Promise.race([Promise.allSettled(loads), late]);
}

/**
 * Return the embedded map in the page's language and colours; null until its fonts are loaded.
 *
 * @param scale scale factor, relative to a desktop reader
 */
export function useEmbeddedStyle(scale: number): StyleSpecification | null {
  const { i18n } = useTranslation("common");
  const { dark } = useColorMode();
  const language = languageOf(i18n.language) ?? "ko";
  const [ready, setReady] = useState<string | null>(null);
  useEffect(() => {
    const waiting = new AbortController();
    void loadFonts(basemapText(language), waiting.signal).then(() => {
      if (!waiting.signal.aborted) setReady(language);
    });
    return () => waiting.abort();
  }, [language]);
  return useMemo(
    () =>
      ready === null
        ? null
        : embeddedStyle(
            { world: absolute(worldUrl), korea: absolute(koreaUrl), notice: noticeUrl },
            { language: languageOf(ready) ?? "ko", colors: mapColors(dark), fonts: FONTS, scale },
          ),
    [ready, dark, scale],
  );
}
