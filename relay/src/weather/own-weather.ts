import { SensorInfo } from "@mulkko/shared/entities/sensor";
import { FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { sensorKey } from "@mulkko/shared/live/keys";
import type { ServiceLack, StationWeather, WeatherPlace } from "@mulkko/shared/rest/weather";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { FarmState } from "../core/channel-farms.ts";
import { roundedDegrees } from "./weather-service.ts";

/** Central Seoul, degrees: where nothing better is known. */
const SEOUL = { latitude: 37.5642135, longitude: 127.0016985 };
/** Types that measure the weather. */
const STATIONS: ReadonlySet<string> = new Set(["ATS02", "ATS03", "AT"]);
/** Of these, what often hangs in a greenhouse. */
const INDOORS: ReadonlySet<string> = new Set(["AT"]);
const FIELDS = [
  "temperature",
  "humidity",
  "pressure",
  "windS",
  "windD",
  "rain",
  "illuminance",
  "solar",
] as const;
const RADIANS = Math.PI / 180;

// An account may have thousands of sensors: interpreting the schemas for each would hold up the event loop.
const placed = Compile(Type.Object({ info: Type.Pick(SensorInfo, ["latitude", "longitude"]) }));
const stationType = Compile(Type.Object({ info: Type.Pick(SensorInfo, ["deviceType"]) }));

type Degrees = Pick<WeatherPlace, "latitude" | "longitude">;

/** The middle of places on a sphere; null for none. */
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

/** Where a sensor stands; null where nobody has placed it (0 stands for that). */
function placeOf(value: FarmState[string] | undefined): Degrees | null {
  if (!placed.Check(value)) return null;
  const { latitude, longitude } = value.info;
  const isPlaced =
    typeof latitude === "number" && typeof longitude === "number" && latitude * longitude !== 0;
  return isPlaced ? { latitude, longitude } : null;
}

/** Sensors of each farm, by its id. */
function farmsOf(state: FarmState): Map<string, string[]> {
  const farms = new Map<string, string[]>();
  for (const [key, value] of Object.entries(state)) {
    const farm = key.startsWith("farm:") ? parse(FarmValue, value) : null;
    if (farm?.ok) farms.set(String(farm.value.info.id), farm.value.info.sensorIds.map(sensorKey));
  }
  return farms;
}

/**
 * Where the weather is asked for: what the caller says, else the middle of the named farm, else that of the farm
 * with the most placed sensors, else central Seoul. Rounded to about a kilometre.
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
  // Sensors that are on no farm are somewhere too.
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

/** How well a station tells the weather: the farm's own first, then one that is heard, then one out of doors. */
const rankOf = (sensor: SensorValue, isOfFarm: boolean): number => {
  const isHeard = sensor.quality === "fresh" || sensor.quality === "late";
  return (isOfFarm ? 4 : 0) + (isHeard ? 2 : 0) + (INDOORS.has(sensor.info.deviceType) ? 0 : 1);
};

/**
 * The newest reading of the best weather station: of the farm, else of any of the account's; `now` ms UTC.
 */
export function stationWeather(
  state: FarmState,
  farmId: string | null,
  instead: ServiceLack,
  now: number,
): StationWeather | null {
  const ofFarm = new Set(farmId === null ? [] : farmsOf(state).get(farmId));
  let best: { rank: number; sensor: SensorValue; at: number } | null = null;
  for (const [key, value] of Object.entries(state)) {
    if (!key.startsWith("sensor:") || !stationType.Check(value)) continue;
    if (!STATIONS.has(value.info.deviceType)) continue;
    const sensor = parse(SensorValue, value);
    if (!sensor.ok || sensor.value.at === null || sensor.value.reading === null) continue;
    const at = Date.parse(sensor.value.at);
    const rank = rankOf(sensor.value, ofFarm.has(key));
    if (best === null || rank > best.rank || (rank === best.rank && at > best.at)) {
      best = { rank, sensor: sensor.value, at };
    }
  }
  if (best === null) return null;
  const { info, reading, quality } = best.sensor;
  const values = FIELDS.flatMap((field): [string, number][] => {
    const value = reading?.[field];
    return typeof value === "number" ? [[field, value]] : [];
  });
  return {
    source: "station",
    at: new Date(best.at).toISOString(),
    ageMinutes: Math.max(0, Math.floor((now - best.at) / 60_000)),
    quality,
    station: { sensorId: String(info.id), name: info.name ?? null, deviceType: info.deviceType },
    reading: Object.fromEntries(values),
    instead,
  };
}
