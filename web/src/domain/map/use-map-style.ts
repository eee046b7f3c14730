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
function useEmbeddedStyle(scale: number): StyleSpecification | null {
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

/** Maximum time to load the installation's own style, ms. */
const STYLE_WITHIN_MS = 8_000;

/** Style that the map uses. */
interface ShownStyle {
  /** Null while it loads. */
  readonly style: StyleSpecification | string | null;
  /** True if the installation's style failed to load and the embedded map replaces it. */
  readonly fellBack: boolean;
}

/** Return true if the address answers with a style. The map itself loads its tiles and glyphs. */
async function styleAnswers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return false;
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "layers" in body && "version" in body;
  } catch {
    return false;
  }
}

/**
 * Return the map's style: the installation's own if it answers, else the embedded one.
 *
 * @param scale scale factor of the embedded style
 */
export function useMapStyle(styleUrl: string | null, scale = 1): ShownStyle {
  const embedded = useEmbeddedStyle(scale);
  const [own, setOwn] = useState<"asking" | "there" | "failed">("asking");
  useEffect(() => {
    if (styleUrl === null) return;
    const asking = new AbortController();
    const timer = setTimeout(() => asking.abort(), STYLE_WITHIN_MS);
    let left = false;
    setOwn("asking");
    void styleAnswers(styleUrl, asking.signal).then((answers) => {
      if (!left) setOwn(answers ? "there" : "failed");
    });
    return () => {
      left = true;
      clearTimeout(timer);
      asking.abort();
    };
  }, [styleUrl]);
  if (styleUrl === null) return { style: embedded, fellBack: false };
  return {
    style: own === "there" ? styleUrl : own === "failed" ? embedded : null,
    fellBack: own === "failed",
  };
}
