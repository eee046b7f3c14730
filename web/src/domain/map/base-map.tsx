import "maplibre-gl/dist/maplibre-gl.css";
import "./maplibre.css";
import type { StyleSpecification } from "maplibre-gl";
import * as library from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { type RefObject, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  AttributionControl,
  Map as MapGl,
  type MapProps,
  type MapRef,
  NavigationControl,
  ScaleControl,
} from "react-map-gl/maplibre";
import { createDeadline } from "../../api/http.ts";
import { type Language, languageOf } from "../../i18n/language.ts";
import { useColorMode } from "../../theme/color-mode.ts";
import koreaUrl from "./basemap/korea.geojson?url";
import noticeUrl from "./basemap/NOTICE.txt?url";
import worldUrl from "./basemap/world.geojson?url";
import { basemapText, embeddedStyle, mapColors } from "./embedded-style.ts";
import { MapNote } from "./map-frame.tsx";

// The worker is a separate file: the content security policy allows no other kind.
library.setWorkerUrl(workerUrl);

/** Zooms of every map. */
export const LIMITS = { min: 2, max: 19 } as const;
/** Maximum length of the scale bar, CSS px. */
const SCALE_BAR_PX = 100;

interface BaseMapProps extends MapProps {
  readonly map: RefObject<MapRef | null>;
  /** Scale factor of everything on it, relative to a desktop reader. */
  readonly scale?: number;
  /** Called if there is no map. */
  readonly onFail: () => void;
}

/** Draw a map with the controls and limits of all of them. It neither turns nor tilts. */
export function BaseMap({ map, scale = 1, onFail, onLoad, children, ...rest }: BaseMapProps) {
  const { t } = useTranslation("maps");
  return (
    <MapGl
      ref={map}
      // The library instance of this chunk, so that react-map-gl loads no other.
      mapLib={library}
      locale={{
        "AttributionControl.ToggleAttribution": t("control.attribution"),
        "Map.Title": t("control.map"),
        "NavigationControl.ZoomIn": t("control.zoomIn"),
        "NavigationControl.ZoomOut": t("control.zoomOut"),
      }}
      minZoom={LIMITS.min}
      maxZoom={LIMITS.max}
      dragRotate={false}
      touchPitch={false}
      pitchWithRotate={false}
      attributionControl={false}
      onLoad={(event) => {
        event.target.touchZoomRotate.disableRotation();
        onLoad?.(event);
      }}
      onError={({ error }) => {
        // Without a map, show the failure. An error of a part of it (a tile) keeps the rest.
        if (map.current === null) onFail();
        reportError(error);
      }}
      {...rest}
    >
      {rest.interactive !== false && <NavigationControl position="top-right" showCompass={false} />}
      <ScaleControl position="bottom-left" maxWidth={SCALE_BAR_PX * scale} />
      <AttributionControl position="bottom-left" compact />
      {children}
    </MapGl>
  );
}

/**
 * Return the style of a map: the installation's own if it answers, else the embedded one. `fellBack` is true if
 * the own one failed to load; `note` takes the place of a map without a style.
 *
 * @param scale scale factor of the embedded style
 */
export function useMapGround(styleUrl: string | null, scale = 1) {
  const { t } = useTranslation("common");
  const embedded = useEmbeddedStyle(scale);
  const [answers, setAnswers] = useState<boolean | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (styleUrl === null) return;
    const left = new AbortController();
    const asking = createDeadline(STYLE_WITHIN_MS, left.signal);
    void styleAnswers(styleUrl, asking.signal).then((known) => {
      if (!left.signal.aborted) setAnswers(known);
      asking.over();
    });
    return () => left.abort();
  }, [styleUrl]);
  const fellBack = styleUrl !== null && answers === false;
  const own = answers === true ? styleUrl : null;
  const style = styleUrl === null || fellBack ? embedded : own;
  return {
    style: failed ? null : style,
    note: <MapNote>{t(failed ? "map.failed" : "map.loading")}</MapNote>,
    fellBack,
    fail: () => setFailed(true),
  };
}

/** Font families of the page (`fonts.body`), unquoted. The Chinese font loads with that language. */
const FONTS = ["Pretendard Variable", "Noto Sans SC Variable", "system-ui"] as const;

/** Maximum wait for fonts, ms: a map with another font is better than one without labels. */
const FONTS_WITHIN_MS = 4_000;

// MapLibre's worker requests the files and cannot resolve a path relative to the page.
const absolute = (path: string): string => new URL(path, location.href).href;

/** Load the parts of the page's fonts that a text needs; a canvas does not wait for them. */
async function loadFonts(text: string): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, FONTS_WITHIN_MS));
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
  const [ready, setReady] = useState<Language | null>(null);
  useEffect(() => {
    const waiting = new AbortController();
    void loadFonts(basemapText(language)).then(() => {
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
            { language: ready, colors: mapColors(dark), fonts: FONTS, scale },
          ),
    [ready, dark, scale],
  );
}

/** Maximum time to load the installation's own style, ms. */
const STYLE_WITHIN_MS = 8_000;

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
