import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { outdoorReading } from "@mulkko/shared/live/outdoor-reading";
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

/** Return the id of the farm's own station that the weather comes from; empty where it does not. */
export function stationIdOf(weather: Weather["weather"] | undefined): string {
  return weather?.source === "station" ? weather.station.sensorId : "";
}

/**
 * Return the weather as displayed.
 *
 * @param links the best quality that the connections to the screen allow: a station is a device of the farm
 *   (ONL-2)
 * @param live the station as the screen knows it, so that one screen never shows two states of one device
 */
export function weatherView({ weather }: Weather, links: Quality, live?: SensorValue): WeatherView {
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
    case "station": {
      const isNewer = live?.at != null && Date.parse(live.at) >= Date.parse(weather.at);
      const { at, quality } = isNewer ? live : weather;
      const reading = isNewer ? outdoorReading(live) : weather.reading;
      return {
        ...NOTHING,
        // A station detects rain, not clouds.
        sky: (reading.rain ?? 0) > 0 ? { sky: "rain", night: false } : null,
        temperature: reading.temperature ?? null,
        humidity: reading.humidity ?? null,
        measuresHumidity: deviceTypeOf(weather.station.deviceType, reading).fields.some(
          ({ name }) => name === "humidity",
        ),
        quality: worseQuality(quality, links),
        at,
        station: weather.station,
      };
    }
    case "none":
      return NOTHING;
  }
}
