import { type Static, Type } from "typebox";
import { Quality } from "../rules/quality.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";

/**
 * Query of `GET /relay/weather`: degrees, both or none; without them the place of a farm counts; the reader's
 * language.
 */
export const WeatherQuery = Type.Object({
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  farm: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** ko, en or zh */
  lang: Type.Optional(Type.String({ pattern: "^(ko|en|zh)$", default: "ko" })),
});
export type WeatherQuery = Static<typeof WeatherQuery>;

/** Place of the weather, degrees, and its source: the request, a farm's sensors, or central Seoul. */
export const WeatherPlace = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  from: Type.Union([Type.Literal("query"), Type.Literal("farm"), Type.Literal("default")]),
  farmId: Nullable(Type.String()),
});
export type WeatherPlace = Static<typeof WeatherPlace>;

/** Reason why the weather service is not the source. */
export const ServiceLack = Type.Union([Type.Literal("no-key"), Type.Literal("service-down")]);
export type ServiceLack = Static<typeof ServiceLack>;

/**
 * Weather of the external service. `icon` is its own name of a picture; `stale` while it does not answer. °C,
 * %.
 */
export const ServiceWeather = Type.Object({
  source: Type.Literal("service"),
  at: Instant,
  stale: Type.Boolean(),
  /** Language of the description. */
  language: Type.Union([Type.Literal("ko"), Type.Literal("en")]),
  icon: Nullable(Type.String()),
  description: Nullable(Type.String()),
  temperature: Type.Number(),
  humidity: Type.Number(),
});
export type ServiceWeather = Static<typeof ServiceWeather>;

/** Weather of the farm's own station, in the catalogue's names and units; unmeasured fields are absent. */
export const StationWeather = Type.Object({
  source: Type.Literal("station"),
  at: Instant,
  ageMinutes: Type.Integer(),
  quality: Nullable(Quality),
  station: Type.Object({ sensorId: Type.String(), name: Nullable(Type.String()), deviceType: Type.String() }),
  reading: TextRecord(Type.Number()),
  instead: ServiceLack,
});
export type StationWeather = Static<typeof StationWeather>;

export const NoWeather = Type.Object({ source: Type.Literal("none"), instead: ServiceLack });
export type NoWeather = Static<typeof NoWeather>;

/** Answer of `GET /relay/weather`. */
export const Weather = Type.Object({
  place: WeatherPlace,
  weather: Type.Union([ServiceWeather, StationWeather, NoWeather]),
});
export type Weather = Static<typeof Weather>;
