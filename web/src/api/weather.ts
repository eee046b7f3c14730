import { relayPath } from "@mulkko/shared/rest/routes";
import { Weather } from "@mulkko/shared/rest/weather";
import { get, type RestClient } from "./client.ts";

/**
 * Polling interval of the weather, ms: which of the farm's stations is the best one may change with any
 * report. The relay keeps the answer of the service for ten minutes.
 */
export const WEATHER_EVERY_MS = 60_000;

/** Degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Fetch the weather at a place; without one at the farm. `language` is ko, en or zh. */
export function fetchWeather(rest: RestClient, place: Place | null, language: string, signal: AbortSignal) {
  const query = new URLSearchParams({ lang: language });
  if (place !== null) {
    query.set("lat", `${place.latitude}`);
    query.set("lon", `${place.longitude}`);
  }
  return get(rest, `${relayPath.weather}?${query}`, Weather, signal);
}
