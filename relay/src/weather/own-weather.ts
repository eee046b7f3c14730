import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { SensorInfo } from "@mulkko/shared/entities/sensor";
import { FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { outdoorReading } from "@mulkko/shared/live/outdoor-reading";
import type { ServiceLack, StationWeather, WeatherPlace } from "@mulkko/shared/rest/weather";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { FarmState } from "../account/farm-index.ts";
import { roundedDegrees } from "./weather-service.ts";

/** Central Seoul, degrees: the default place. */
const SEOUL = { latitude: 37.5642135, longitude: 127.0016985 };
const RADIANS = Math.PI / 180;

// An account may have thousands of sensors: interpreting the schemas for each would block the event loop.
const placed = Compile(Type.Object({ info: Type.Pick(SensorInfo, ["latitude", "longitude"]) }));
const stationType = Compile(Type.Object({ info: Type.Pick(SensorInfo, ["deviceType"]) }));

type Degrees = Pick<WeatherPlace, "latitude" | "longitude">;

/** Return the centre of places on a sphere; null for none. */
function middleOf(places: readonly Degrees[]): Degrees | null {
  let [x, y, z] = [0, 0, 0];
  for (const { latitude, longitude } of places) {
    x += Math.cos(latitude * RADIANS) * Math.cos(longitude * RADIANS);
    y += Math.cos(latitude * RADIANS) * Math.sin(longitude * RADIANS);
    z += Math.sin(latitude * RADIANS);
  }
  if (places.length === 0 || Math.hypot(x, y, z) < 1e-9) return null;
  return {
    latitude: Math.atan2(z, Math.hypot(x, y)) / RADIANS,
    longitude: Math.atan2(y, x) / RADIANS,
  };
}

/** Return the place of a sensor; null if it has none (stored as 0). */
function placeOf(value: FarmState[string] | undefined): Degrees | null {
  if (!placed.Check(value)) return null;
  const { latitude, longitude } = value.info;
  const isPlaced =
    typeof latitude === "number" && typeof longitude === "number" && latitude * longitude !== 0;
  return isPlaced ? { latitude, longitude } : null;
}

/** Return the sensors of each farm, by farm id. */
function farmsOf(state: FarmState): Map<string, string[]> {
  const farms = new Map<string, string[]>();
  for (const [key, value] of Object.entries(state)) {
    const farm = key.startsWith("farm:") ? parse(FarmValue, value) : null;
    if (farm?.ok) farms.set(String(farm.value.info.id), farm.value.info.sensorIds.map(sensorKey));
  }
  return farms;
}

/**
 * Return the place for the weather request: the caller's, else the centre of the named farm, else that of
 * the farm with the most placed sensors, else central Seoul. Rounded to about a kilometre.
 */
export function weatherPlace(
  state: FarmState,
  query: { readonly lat?: number; readonly lon?: number; readonly farm?: string },
): WeatherPlace {
  const { lat, lon, farm } = query;
  const rounded = ({ latitude, longitude }: Degrees): Degrees => ({
    latitude: roundedDegrees(latitude),
    longitude: roundedDegrees(longitude),
  });
  const farmId = farm ?? null;
  if (lat !== undefined && lon !== undefined) {
    return { ...rounded({ latitude: lat, longitude: lon }), from: "query", farmId };
  }
  let best: { farmId: string | null; places: Degrees[] } = { farmId: null, places: [] };
  const farms: [string | null, string[]][] = [...farmsOf(state)];
  // Sensors without a farm have a place too.
  if (farm === undefined) farms.push([null, Object.keys(state).filter((key) => key.startsWith("sensor:"))]);
  for (const [id, sensors] of farms) {
    if (farm !== undefined && id !== farm) continue;
    if (id === null && best.places.length > 0) continue;
    const places = sensors.flatMap((key) => placeOf(state[key]) ?? []);
    if (places.length > best.places.length) best = { farmId: id, places };
  }
  const middle = middleOf(best.places);
  if (middle === null) return { ...rounded(SEOUL), from: "default", farmId };
  return { ...rounded(middle), from: "farm", farmId: best.farmId };
}

/** A station with a reading, and its distance from the requested place. */
interface Candidate {
  readonly sensor: SensorValue;
  readonly at: number;
  readonly isOnline: boolean;
  readonly isOfFarm: boolean;
  /** Distance along the sphere, radians; largest for a station without a place. */
  readonly distance: number;
}

/** Return the distance of two places along the sphere, radians. */
function distanceOf(a: Degrees, b: Degrees): number {
  const [latitude, longitude] = [
    ((b.latitude - a.latitude) * RADIANS) / 2,
    ((b.longitude - a.longitude) * RADIANS) / 2,
  ];
  const across = Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * Math.sin(longitude) ** 2;
  return 2 * Math.asin(Math.sqrt(Math.min(1, Math.sin(latitude) ** 2 + across)));
}

/** Distances that differ by less than about a hundred metres count as equal. */
const NEAR_RADIANS = 1.6e-5;

/** Order stations, best first: online, of the farm itself, nearest, most recent. */
const compare = (a: Candidate, b: Candidate): number =>
  Number(b.isOnline) - Number(a.isOnline) ||
  Number(b.isOfFarm) - Number(a.isOfFarm) ||
  Math.round(a.distance / NEAR_RADIANS) - Math.round(b.distance / NEAR_RADIANS) ||
  b.at - a.at;

/** Return the newest reading of the account's best outdoor weather station; `now` is ms UTC. */
export function stationWeather(
  state: FarmState,
  place: Degrees & Pick<WeatherPlace, "farmId">,
  instead: ServiceLack,
  now: number,
): StationWeather | null {
  const ofFarm = new Set(place.farmId === null ? [] : farmsOf(state).get(place.farmId));
  const candidates: Candidate[] = [];
  for (const [key, value] of Object.entries(state)) {
    if (!key.startsWith("sensor:") || !stationType.Check(value)) continue;
    // The air of a greenhouse is not weather.
    if (deviceTypeOf(value.info.deviceType).outdoors !== true) continue;
    const sensor = parse(SensorValue, value);
    if (!sensor.ok || sensor.value.at === null || typeof sensor.value.reading?.temperature !== "number")
      continue;
    const station = placeOf(value);
    candidates.push({
      sensor: sensor.value,
      at: Date.parse(sensor.value.at),
      isOnline: sensor.value.quality === "fresh" || sensor.value.quality === "late",
      isOfFarm: ofFarm.has(key),
      distance: station === null ? 2 * Math.PI : distanceOf(place, station),
    });
  }
  const best = candidates.sort(compare)[0] ?? null;
  if (best === null) return null;
  const { info, quality } = best.sensor;
  return {
    source: "station",
    at: new Date(best.at).toISOString(),
    ageMinutes: Math.max(0, Math.floor((now - best.at) / 60_000)),
    quality,
    station: { sensorId: String(info.id), name: info.name ?? null, deviceType: info.deviceType },
    reading: outdoorReading(best.sensor),
    instead,
  };
}
