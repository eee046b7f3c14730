import { relayPath } from "@mulkko/shared/rest/routes";
import { Weather } from "@mulkko/shared/rest/weather";
import type { RestClient } from "./client.ts";

/** Polling interval of the weather, ms; the relay polls its service no more often. */
export const WEATHER_EVERY_MS = 600_000;

/** Degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Fetch the weather at a place; without one at the farm. `language` is ko, en or zh. */
export function fetchWeather(
  rest: RestClient,
  place: Place | null,
  language: string,
  signal: AbortSignal,
): Promise<Weather> {
  const query = new URLSearchParams({ lang: language });
  if (place !== null) {
    query.set("lat", `${place.latitude}`);
    query.set("lon", `${place.longitude}`);
  }
  return rest.call({ method: "GET", path: `${relayPath.weather}?${query}`, answer: Weather, signal });
}
