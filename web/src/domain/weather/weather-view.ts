import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { Weather } from "@mulkko/shared/rest/weather";
import { type Quality, worseQuality } from "@mulkko/shared/rules/quality";

/** Icon numbers of the weather service; a suffix `d` or `n` means day or night. */
const SKY_OF_CODE = {
  "01": "clear",
  "02": "few-clouds",
  "03": "clouds",
  "04": "overcast",
  "09": "showers",
  "10": "rain",
  "11": "thunder",
  "13": "snow",
  "50": "mist",
} as const;
export type Sky = (typeof SKY_OF_CODE)[keyof typeof SKY_OF_CODE];

/** Return the sky for an icon code, by day or night; null for an unknown code. */
export function skyOf(code: string | null): { sky: Sky; night: boolean } | null {
  const sky = Object.entries(SKY_OF_CODE).find(([known]) => known === code?.slice(0, 2))?.[1];
  return sky === undefined ? null : { sky, night: code?.endsWith("n") ?? false };
}

/** Weather as displayed, from any source. °C, %; null if not measured. */
interface WeatherView {
  readonly sky: ReturnType<typeof skyOf>;
  /** The service's own description of the sky. */
  readonly description: string | null;
  readonly temperature: number | null;
  readonly humidity: number | null;
  /** False for a station type without air humidity: a field station measures only that of the soil. */
  readonly measuresHumidity: boolean;
  readonly quality: Quality | null;
  /** Time of the measurement; null without one. */
  readonly at: string | null;
  /** The farm's own station; its name is null if it has none. */
  readonly station: { readonly name: string | null; readonly deviceType: string } | null;
}

const NOTHING: WeatherView = {
  sky: null,
  description: null,
  temperature: null,
  humidity: null,
  measuresHumidity: false,
  quality: null,
  at: null,
  station: null,
};

/**
 * Return the weather as displayed.
 *
 * @param links the best quality that the connections to the screen allow: a station is a device of the farm
 *   (ONL-2)
 */
export function weatherView({ weather }: Weather, links: Quality): WeatherView {
  switch (weather.source) {
    case "service":
      return {
        sky: skyOf(weather.icon),
        description: weather.description,
        temperature: weather.temperature,
        humidity: weather.humidity,
        measuresHumidity: true,
        quality: weather.stale ? "late" : "fresh",
        at: weather.at,
        station: null,
      };
    case "station":
      return {
        ...NOTHING,
        // A station detects rain, not clouds.
        sky: (weather.reading.rain ?? 0) > 0 ? { sky: "rain", night: false } : null,
        temperature: weather.reading.temperature ?? null,
        humidity: weather.reading.humidity ?? null,
        measuresHumidity: deviceTypeOf(weather.station.deviceType, weather.reading).fields.some(
          ({ name }) => name === "humidity",
        ),
        quality: worseQuality(weather.quality, links),
        at: weather.at,
        station: weather.station,
      };
    case "none":
      return NOTHING;
  }
}
