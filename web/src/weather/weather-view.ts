import type { Weather } from "@mulkko/shared/rest/weather";
import type { Quality } from "@mulkko/shared/rules/quality";

/** What can be drawn of a sky. */
export const SKIES = [
  "clear",
  "few-clouds",
  "clouds",
  "overcast",
  "showers",
  "rain",
  "thunder",
  "snow",
  "mist",
] as const;
export type Sky = (typeof SKIES)[number];

/** The weather service's numbers of pictures; `d` or `n` behind them is day or night. */
const SKY_OF_CODE: Readonly<Record<string, Sky>> = {
  "01": "clear",
  "02": "few-clouds",
  "03": "clouds",
  "04": "overcast",
  "09": "showers",
  "10": "rain",
  "11": "thunder",
  "13": "snow",
  "50": "mist",
};

/** A picture of the sky, by day or by night; null for a code that nobody knows. */
export function skyOf(code: string | null): { sky: Sky; night: boolean } | null {
  const sky = code === null ? undefined : SKY_OF_CODE[code.slice(0, 2)];
  return sky === undefined ? null : { sky, night: code?.endsWith("n") ?? false };
}

/** The weather as it is shown, wherever it comes from. °C, %; what nobody measures is null. */
export interface WeatherView {
  readonly source: "service" | "station" | "none";
  readonly sky: ReturnType<typeof skyOf>;
  /** The service's own words for the sky. */
  readonly description: string | null;
  readonly temperature: number | null;
  readonly humidity: number | null;
  readonly quality: Quality | null;
  /** When it was so; null where there is none. */
  readonly at: string | null;
  /** The farm's own station, by name where it has one. */
  readonly station: { readonly id: string; readonly name: string | null; readonly deviceType: string } | null;
}

export function weatherView({ weather }: Weather): WeatherView {
  switch (weather.source) {
    case "service":
      return {
        source: "service",
        sky: skyOf(weather.icon),
        description: weather.description,
        temperature: weather.temperature,
        humidity: weather.humidity,
        quality: weather.stale ? "late" : "fresh",
        at: weather.at,
        station: null,
      };
    case "station":
      return {
        source: "station",
        // A station sees rain, not clouds.
        sky: (weather.reading.rain ?? 0) > 0 ? { sky: "rain", night: false } : null,
        description: null,
        temperature: weather.reading.temperature ?? null,
        humidity: weather.reading.humidity ?? null,
        quality: weather.quality,
        at: weather.at,
        station: {
          id: weather.station.sensorId,
          name: weather.station.name,
          deviceType: weather.station.deviceType,
        },
      };
    case "none":
      return {
        source: "none",
        sky: null,
        description: null,
        temperature: null,
        humidity: null,
        quality: null,
        at: null,
        station: null,
      };
  }
}
