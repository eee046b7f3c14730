import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { FieldTimes, type LogEntry, measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { LiveReading } from "@mulkko/shared/live/devices";
import type { OutReading } from "@mulkko/shared/mqtt/out-messages";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { apiInstant } from "../upstream/api-instant.ts";

/** A received reading. Times are ms UTC. */
export interface Reading {
  readonly values: LiveReading;
  /** Times of fields measured before the reading; null if there are none. */
  readonly fieldTimes: FieldTimes | null;
  /** Time of the measurement; null if the source names none that is readable. */
  readonly at: number | null;
  /** Time of the report: the arrival of its message, else the time in the log; null like `at`. */
  readonly heardAt: number | null;
  readonly via: "mqtt" | "poll";
  /** The list or log that it was read from; each moves on by itself. */
  readonly source: ReadingSource;
  /** Number that the farm API gave a live reading in its order of arrival (ORD-1); null for any other. */
  readonly arrival: number | null;
  /** Since when the device's clock has been wrong; null: it is not known to be (ORD-2). */
  readonly clockWrongSince: number | null;
}

export type ReadingSource = "mqtt" | "list" | "latest" | "latest-mqtt";

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

/** Convert a row of a list or log. */
export function polledReading(
  entry: LogEntry,
  source: Exclude<ReadingSource, "mqtt">,
  zone: ApiTimeZone,
): Reading {
  const at = apiInstant(entry.createdDate, zone);
  const times = parse(FieldTimes, entry.fieldTimes);
  const fieldTimes = times.ok && Object.keys(times.value).length > 0 ? times.value : null;
  return {
    values: readingValues(entry),
    fieldTimes,
    at,
    heardAt: at,
    via: "poll",
    source,
    arrival: entry.arrival ?? null,
    clockWrongSince: apiInstant(entry.clockWrongSince, zone),
  };
}

/** Convert a message of the API's output topic. */
export function receivedReading(message: OutReading): Reading {
  return {
    values: readingValues(message),
    fieldTimes: null,
    at: Date.parse(message.at),
    heardAt: Date.parse(message.receivedAt),
    via: "mqtt",
    source: "mqtt",
    arrival: message.arrival ?? null,
    clockWrongSince: message.clockWrongSince ? Date.parse(message.clockWrongSince) : null,
  };
}
