import type { Language } from "../../i18n/language.ts";
import names from "./basemap/names.json";

/** Rank of a name: provinces appear before cities, cities before towns. */
export type PlaceRank = "country" | keyof typeof names;

/** A name on the embedded map. */
interface NamedPlace {
  readonly rank: PlaceRank;
  readonly latitude: number;
  readonly longitude: number;
  readonly names: Readonly<Record<Language, string>>;
}

const COUNTRIES: readonly (readonly [latitude: number, longitude: number, code: string])[] = [
  [40.3, 127.2, "KP"],
  [43.8, 125.5, "CN"],
  [44.6, 134.6, "RU"],
  [35.2, 134.2, "JP"],
];

/** Return the browser's name of a country; its code if the browser has none. */
function countryName(code: string, language: Language): string {
  return new Intl.DisplayNames([language], { type: "region", style: "short" }).of(code) ?? code;
}

/** All names of the embedded map, in order of rank. */
export const NAMED_PLACES: readonly NamedPlace[] = [
  ...COUNTRIES.map(([latitude, longitude, code]) => ({
    rank: "country" as const,
    latitude,
    longitude,
    names: { ko: countryName(code, "ko"), en: countryName(code, "en"), zh: countryName(code, "zh") },
  })),
  ...(["province", "city", "town"] as const).flatMap((rank) =>
    names[rank].map((place) => ({ rank, ...place })),
  ),
];
