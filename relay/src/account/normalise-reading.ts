import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { FieldTimes, type LogEntry, measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { LiveReading } from "@mulkko/shared/live/devices";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { apiInstant } from "../upstream/api-instant.ts";

/** A received reading. Times are ms UTC. */
export interface Reading {
  readonly values: LiveReading;
  /** Times of fields measured before the reading; null if there are none. */
  readonly fieldTimes: FieldTimes | null;
  /** Time of the measurement. */
  readonly at: number;
  /** Time of the report: the arrival of its message, else the time in the log. */
  readonly heardAt: number;
  readonly via: "mqtt" | "poll";
}

/** Keys of a row that are not measurements, in every known API. */
const NO_MEASUREMENT = new Set([
  "id",
  "at",
  "receivedAt",
  "userId",
  "serial",
  "clusterId",
  "channel",
  "chNums",
]);

/**
 * Return the measurements of a row with the catalogue's names and units, plus signal and firmware. Unknown
 * numbers are kept: cards show them under their own names.
 */
export function readingValues(entry: Readonly<Record<string, unknown>>): LiveReading {
  const measured = Object.entries(measurementsOf(entry)).filter(
    ([name, value]) => !NO_MEASUREMENT.has(name) && (isFieldName(name) || value !== null),
  );
  const { rssi, fwversion } = entry;
  return {
    ...Object.fromEntries(measured),
    rssi: typeof rssi === "number" ? rssi : null,
    fwversion: typeof fwversion === "number" || typeof fwversion === "string" ? String(fwversion) : null,
  };
}

/** Convert a row of a list or log; null if its time is invalid. */
export function polledReading(entry: LogEntry, zone: ApiTimeZone): Reading | null {
  const at = apiInstant(entry.createdDate, zone);
  if (at === null) return null;
  const times = parse(FieldTimes, entry.fieldTimes);
  const fieldTimes = times.ok && Object.keys(times.value).length > 0 ? times.value : null;
  return { values: readingValues(entry), fieldTimes, at, heardAt: at, via: "poll" };
}

/** Convert a message of the API's output topic. */
export function receivedReading(
  message: Readonly<Record<string, unknown>> & { at: string; receivedAt: string },
): Reading {
  return {
    values: readingValues(message),
    fieldTimes: null,
    at: Date.parse(message.at),
    heardAt: Date.parse(message.receivedAt),
    via: "mqtt",
  };
}
