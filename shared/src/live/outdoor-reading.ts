import { fieldQuality } from "../rules/quality.ts";
import type { SensorValue } from "./devices.ts";

/** Fields of a station that are weather, in the catalogue's names and units. */
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

/** Return the weather in a station's reading; fields that are not measured or an hour older are absent. */
export function outdoorReading(station: SensorValue): Record<string, number> {
  const values = FIELDS.flatMap((field): [string, number][] => {
    if (fieldQuality("fresh", station, field) !== "fresh") return [];
    const value = station.reading?.[field];
    return typeof value === "number" ? [[field, value]] : [];
  });
  return Object.fromEntries(values);
}
